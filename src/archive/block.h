// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace sbx::archive {

inline constexpr std::size_t kBlockSize = 512;
using Block = std::array<char, kBlockSize>;

// The header block of POSIX ustar, as it is on the tape; what a type letter means is the ArchiveReader's business.
struct BlockHeader {
  std::string name;
  std::string link;
  char type = '0';
  unsigned mode = 0;
  std::int64_t size = 0;
  std::int64_t mtime = 0;
  std::uint32_t uid = 0;  // written, not read
  std::uint32_t gid = 0;
};

inline constexpr std::size_t kLongestHeaderName = 100;       // longer names travel in a pax record
inline constexpr std::int64_t kLargestOctal = 077777777777;  // 8 GiB - 1
inline constexpr std::uint32_t kLargestId = 07777777;

bool is_zero(const Block& block);

// Refuses a wrong checksum, numbers that are none, and negative sizes. Reads v7, ustar and GNU headers.
Result<BlockHeader> decode(const Block& block);

// Names and links over kLongestHeaderName are cut, and numbers over kLargestOctal written as 0: the caller has put
// the true value into a pax record before.
Block encode(const BlockHeader& header);

// Bytes from the end of `size` bytes of content to the next block.
constexpr std::size_t padding_after(std::int64_t size) {
  return (kBlockSize - static_cast<std::size_t>(size) % kBlockSize) % kBlockSize;
}

}  // namespace sbx::archive
