// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sbx::sshagent {

// The data types of SSH (RFC 4251, section 5), one after another.
class SshWriter {
 public:
  void byte(std::uint8_t value) { bytes_ += static_cast<char>(value); }
  void number(std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) byte(static_cast<std::uint8_t>(value >> shift));
  }
  void text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Takes them off the front; once something is missing it stays bad and gives nothing.
class SshReader {
 public:
  explicit SshReader(std::string_view bytes) : rest_(bytes) {}

  std::uint8_t byte() { return static_cast<std::uint8_t>(number_of(1)); }
  std::uint32_t number() { return number_of(4); }
  std::string_view text() { return take(number()); }

  bool good() const { return good_; }
  bool whole() const { return good_ && rest_.empty(); }

 private:
  std::uint32_t number_of(std::size_t size) {
    std::uint32_t value = 0;
    for (const char c : take(size)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
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

}  // namespace sbx::sshagent
