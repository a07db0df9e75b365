// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sbx::policy {

// An IPv4 or IPv6 address. IPv4 is kept in its mapped form (::ffff:0:0/96), so that 10.0.0.1 and ::ffff:10.0.0.1 are
// one value and no rule can see the one and miss the other.
class Address {
 public:
  using Bytes = std::array<std::uint8_t, 16>;

  explicit Address(const Bytes& bytes) : bytes_(bytes) {}
  static Address v4(const std::array<std::uint8_t, 4>& bytes);
  // Four decimal numbers without leading zeros, or IPv6 without zone and brackets. Nothing else is an address:
  // see looks_numeric().
  static std::optional<Address> parse(std::string_view text);

  bool is_v4() const;
  const Bytes& bytes() const { return bytes_; }
  std::string text() const;  // as RFC 5952 has it; a mapped address as the IPv4 address that it is

  auto operator<=>(const Address&) const = default;

 private:
  Bytes bytes_;
};

// Whether some resolver would take this for an IPv4 address in decimal, octal, hexadecimal or short form (2130706433,
// 0177.0.0.1, 0x7f.1, 127.1): its last label is a number. No real name ends so (RFC 3696), hence what looks numeric and
// is not a plain address is refused.
bool looks_numeric(std::string_view host);

}  // namespace sbx::policy
