// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "blobs/message.h"

// What a shim that was taken over says to the cache of blobs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx;
  const std::string_view packet(reinterpret_cast<const char*>(data), size);
  (void)blobs::decode_answer(packet);
  const auto ask = blobs::decode_ask(packet);
  if (!ask) return 0;
  // It names one file, and what is accepted survives being said again.
  if (!blobs::is_file_name(blobs::file_name(ask->blob))) std::abort();
  const auto again = blobs::decode_ask(blobs::encode(*ask));
  if (!again || again->blob.origin != ask->blob.origin || again->blob.digest != ask->blob.digest) std::abort();
  return 0;
}
