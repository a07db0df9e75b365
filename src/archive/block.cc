// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/block.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace sbx::archive {
namespace {

struct Field {
  std::size_t offset;
  std::size_t size;
};
constexpr Field kName{0, 100};
constexpr Field kMode{100, 8};
constexpr Field kUid{108, 8};
constexpr Field kGid{116, 8};
constexpr Field kSize{124, 12};
constexpr Field kTime{136, 12};
constexpr Field kChecksum{148, 8};
constexpr std::size_t kType = 156;
constexpr Field kLink{157, 100};
constexpr Field kMagic{257, 8};
constexpr Field kPrefix{345, 155};
constexpr std::string_view kUstar("ustar\0", 6);
constexpr std::string_view kUstarVersion("ustar\00000", 8);

std::string_view bytes_of(const Block& block, Field field) { return {block.data() + field.offset, field.size}; }

std::string text_of(const Block& block, Field field) {
  const std::string_view bytes = bytes_of(block, field);
  return std::string(bytes.substr(0, bytes.find('\0')));
}

std::optional<std::int64_t> octal(std::string_view bytes) {
  while (!bytes.empty() && bytes.front() == ' ') bytes.remove_prefix(1);
  std::int64_t value = 0;
  for (const char c : bytes) {
    if (c == ' ' || c == '\0') break;
    if (c < '0' || c > '7' || value > (INT64_MAX >> 3)) return std::nullopt;
    value = value * 8 + (c - '0');
  }
  return value;
}

// GNU and star write numbers that do not fit as big-endian binary, marked by the top bit of the first byte.
std::optional<std::int64_t> binary(std::string_view bytes) {
  std::int64_t value = bytes.front() & 0x3f;
  for (const char c : bytes.substr(1)) {
    if (value > (INT64_MAX >> 8)) return std::nullopt;
    value = value * 256 + static_cast<unsigned char>(c);
  }
  return value;
}

std::optional<std::int64_t> number_of(const Block& block, Field field) {
  const std::string_view bytes = bytes_of(block, field);
  const auto first = static_cast<unsigned char>(bytes.front());
  if ((first & 0xc0) == 0xc0) return std::nullopt;  // negative
  return (first & 0x80) != 0 ? binary(bytes) : octal(bytes);
}

std::int64_t checksum_of(const Block& block) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const bool in_checksum = i >= kChecksum.offset && i < kChecksum.offset + kChecksum.size;
    sum += in_checksum ? ' ' : static_cast<unsigned char>(block[i]);
  }
  return sum;
}

void put_text(Block& block, Field field, std::string_view text) {
  text = text.substr(0, field.size);
  std::copy(text.begin(), text.end(), block.begin() + static_cast<std::ptrdiff_t>(field.offset));
}

// size - 1 digits and a NUL.
void put_octal(Block& block, Field field, std::int64_t value) {
  for (std::size_t i = field.size - 1; i-- > 0; value >>= 3)
    block[field.offset + i] = static_cast<char>('0' + (value & 7));
}

}  // namespace

bool is_zero(const Block& block) {
  return std::all_of(block.begin(), block.end(), [](char c) { return c == 0; });
}

Result<BlockHeader> decode(const Block& block) {
  if (number_of(block, kChecksum) != checksum_of(block))
    return fail(Code::kInvalid, "not an archive: a header has a wrong checksum");
  const auto size = number_of(block, kSize);
  const auto mode = number_of(block, kMode);
  if (!size || !mode) return fail(Code::kInvalid, "the archive has a header with a number that is none");
  BlockHeader header{text_of(block, kName),
                     text_of(block, kLink),
                     block[kType],
                     static_cast<unsigned>(*mode & 07777),
                     *size,
                     number_of(block, kTime).value_or(0),
                     0,
                     0};
  const bool posix = bytes_of(block, kMagic).substr(0, kUstar.size()) == kUstar;  // GNU has times where the prefix is
  const std::string prefix = posix ? text_of(block, kPrefix) : "";
  if (!prefix.empty()) header.name.insert(0, prefix + "/");
  return header;
}

Block encode(const BlockHeader& header) {
  Block block{};
  put_text(block, kName, header.name);
  put_octal(block, kMode, header.mode & 07777);
  put_octal(block, kUid, header.uid > kLargestId ? 0 : header.uid);
  put_octal(block, kGid, header.gid > kLargestId ? 0 : header.gid);
  put_octal(block, kSize, header.size > kLargestOctal ? 0 : header.size);
  put_octal(block, kTime, header.mtime < 0 || header.mtime > kLargestOctal ? 0 : header.mtime);
  block[kType] = header.type;
  put_text(block, kLink, header.link);
  put_text(block, kMagic, kUstarVersion);
  put_octal(block, {kChecksum.offset, kChecksum.size - 1}, checksum_of(block));
  block[kChecksum.offset + kChecksum.size - 1] = ' ';
  return block;
}

}  // namespace sbx::archive
