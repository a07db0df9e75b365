// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sbx {

// The number in these bytes, at most 8, the most significant first.
constexpr std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

inline void append_big_endian(std::string& out, std::uint64_t value, int size) {
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

// Takes numbers and length-prefixed parts off the front; once bytes are missing it stays bad and gives nothing. For
// hostile bytes, too.
class BigEndianReader {
 public:
  explicit BigEndianReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number(std::size_t size) { return big_endian(bytes(size)); }
  std::string_view bytes(std::size_t size) {
    if (size > rest_.size()) good_ = false;
    if (!good_) return {};
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::string_view part(std::size_t size_of_length) { return bytes(number(size_of_length)); }

  std::string_view rest() const { return rest_; }
  bool good() const { return good_; }
  bool more() const { return good_ && !rest_.empty(); }
  bool at_end() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace sbx
