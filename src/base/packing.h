// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sbx {

// Numbers and texts one after another, for two processes of one machine.
class Packer {
 public:
  static constexpr std::size_t kLongestText = 4096;

  explicit Packer(std::size_t room = 0) { bytes_.reserve(room); }

  template <class Number>
  requires std::integral<Number> || std::is_enum_v<Number>
  void number(Number value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  // What is too long is cut off.
  void text(std::string_view text) {
    text = text.substr(0, kLongestText);
    number(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  // As long as it likes.
  void bytes(std::string_view bytes) {
    number(static_cast<std::uint32_t>(bytes.size()));
    bytes_ += bytes;
  }
  void rest(std::string_view bytes) { bytes_ += bytes; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Takes them off the front; once something is missing it stays bad and gives zeros. For bytes of strangers, too.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  requires std::integral<Number> Number number() {
    Number value{};
    const std::string_view bytes = take(sizeof value);
    if (good_) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  // One of the values from the first, which is 0, to the last.
  template <class Enum>
  Enum one_of(Enum last) {
    const auto value = number<std::underlying_type_t<Enum>>();
    if (value < 0 || value > static_cast<std::underlying_type_t<Enum>>(last)) good_ = false;
    return good_ ? static_cast<Enum>(value) : Enum{};
  }
  bool boolean() { return number<std::uint8_t>() != 0; }
  std::string text() {
    const auto size = number<std::uint32_t>();
    if (size > Packer::kLongestText) good_ = false;
    return std::string(take(size));
  }
  std::string_view bytes() { return take(number<std::uint32_t>()); }  // a view into what it was given
  std::string_view rest() { return take(rest_.size()); }

  bool good() const { return good_; }
  bool whole() const { return good_ && rest_.empty(); }  // nothing is missing and nothing is left

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) good_ = false;
    if (!good_) return {};
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace sbx
