// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "gate/message.h"

// What a shim that was taken over says to its gate.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx;
  const std::string_view packet(reinterpret_cast<const char*>(data), size);
  (void)gate::decode_from_gate(packet);
  const auto message = gate::decode_from_shim(packet);
  if (!message) return 0;
  // What is accepted survives being said again.
  if (const auto* dial = std::get_if<gate::Dial>(&*message)) {
    const auto again = gate::decode_from_shim(gate::encode(*dial));
    if (!again || std::get<gate::Dial>(*again).target.text() != dial->target.text()) std::abort();
  }
  if (const auto* records = std::get_if<gate::Records>(&*message)) {
    std::string packed;
    for (const auto& record : records->records) packed += netlog::pack(record);
    const auto again = gate::decode_from_shim(gate::encode_records(packed));
    if (!again || std::get<gate::Records>(*again).records != records->records) std::abort();
  }
  return 0;
}
