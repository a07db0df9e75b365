// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "archive/reader.h"

// An archive from a guest, entry by entry, to its end or its error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx;
  std::size_t at = 0;
  archive::ArchiveReader reader([&](std::span<char> buffer) -> Result<std::size_t> {
    const std::size_t n = std::min(buffer.size(), size - at);
    std::memcpy(buffer.data(), data + at, n);
    at += n;
    return n;
  });
  for (int entries = 0; entries < 1000; ++entries) {
    const auto entry = reader.next();
    if (!entry || !*entry) return 0;
    for (;;) {
      const auto content = reader.content();
      if (!content) return 0;
      if (content->empty()) break;
    }
  }
  return 0;
}
