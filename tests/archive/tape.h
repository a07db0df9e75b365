// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "archive/block.h"
#include "archive/extended.h"
#include "archive/stream.h"

namespace sbx::test {

// An archive in memory, written block by block, so that it can say what no honest writer says.
class Tape {
 public:
  Tape& add(char type, const std::string& name, std::string_view content = {}, const std::string& link = {}) {
    bytes += block({name, link, type, 0644, static_cast<std::int64_t>(content.size()), 1'600'000'000});
    return pad(content);
  }
  Tape& header(const archive::BlockHeader& header) {
    bytes += block(header);
    return *this;
  }
  Tape& pax(std::string_view key, std::string_view value) { return add('x', "pax", archive::record(key, value)); }
  Tape& pad(std::string_view content) {
    bytes += content;
    bytes.append(archive::padding_after(static_cast<std::int64_t>(content.size())), '\0');
    return *this;
  }
  Tape& end() {
    bytes.append(2 * archive::kBlockSize, '\0');
    return *this;
  }

  std::string bytes;

 private:
  static std::string block(const archive::BlockHeader& header) {
    const auto encoded = archive::encode(header);
    return std::string(encoded.data(), encoded.size());
  }
};

// Hands out `bytes`, which must outlive it, at most `piece` at a time.
inline archive::Source source_of(std::string_view bytes, std::size_t piece = 100'000) {
  return [bytes, piece](std::span<char> buffer) mutable -> Result<std::size_t> {
    const std::size_t n = bytes.copy(buffer.data(), std::min(buffer.size(), piece));
    bytes.remove_prefix(n);
    return n;
  };
}

inline archive::Sink sink_into(std::string& bytes) {
  return [&bytes](std::string_view more) -> Result<> {
    bytes += more;
    return Ok{};
  };
}

}  // namespace sbx::test
