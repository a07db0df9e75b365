// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "base/value.h"
#include "wire/exec.h"
#include "wire/frame.h"
#include "wire/guest.h"

// What a hostile guest says: a header, and the payloads that are JSON.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (size < wire::kHeaderSize) return 0;
  const auto header = wire::decode_header(std::span<const char, wire::kHeaderSize>(bytes.data(), wire::kHeaderSize));
  if (header && header->length > wire::kLargestPayload) std::abort();
  const std::string_view payload = bytes.substr(wire::kHeaderSize);
  (void)wire::decode_u32(payload);
  (void)wire::decode_window_size(payload);
  const auto json = parse_json(payload);
  if (!json) return 0;
  (void)value_of<wire::GuestHello>(*json, "hello");
  (void)value_of<wire::GuestReady>(*json, "ready");
  if (const auto exit = value_of<wire::ExecExit>(*json, "exit"); exit && (exit->code < 0 || exit->code > 255))
    std::abort();
  // What is accepted survives being said again.
  if (const auto request = value_of<wire::ExecRequest>(*json, "exec")) {
    const auto again = value_of<wire::ExecRequest>(json_of(*request), "exec");
    if (!again || again->command != request->command || again->environment != request->environment) std::abort();
  }
  return 0;
}
