// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/address.h"

#include <arpa/inet.h>

#include <algorithm>

namespace sbx::policy {
namespace {

constexpr Address::Bytes kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0};
constexpr std::size_t kV4At = 12;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

}  // namespace

Address Address::v4(const std::array<std::uint8_t, 4>& bytes) {
  Bytes mapped = kMapped;
  std::ranges::copy(bytes, mapped.begin() + kV4At);
  return Address(mapped);
}

std::optional<Address> Address::parse(std::string_view text) {
  if (text.size() >= INET6_ADDRSTRLEN || text.find('\0') != std::string_view::npos) return std::nullopt;
  const std::string terminated(text);
  std::array<std::uint8_t, 4> four{};
  if (::inet_pton(AF_INET, terminated.c_str(), four.data()) == 1) return v4(four);
  Bytes sixteen{};
  if (::inet_pton(AF_INET6, terminated.c_str(), sixteen.data()) == 1) return Address(sixteen);
  return std::nullopt;
}

bool Address::is_v4() const { return std::equal(kMapped.begin(), kMapped.begin() + kV4At, bytes_.begin()); }

std::string Address::text() const {
  std::array<char, INET6_ADDRSTRLEN> buffer{};
  const void* from = is_v4() ? bytes_.data() + kV4At : bytes_.data();
  ::inet_ntop(is_v4() ? AF_INET : AF_INET6, from, buffer.data(), buffer.size());
  return buffer.data();
}

bool looks_numeric(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  const auto dot = host.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? host : host.substr(dot + 1);
  if (last.starts_with("0x") || last.starts_with("0X")) return std::ranges::all_of(last.substr(2), is_hex_digit);
  return !last.empty() && std::ranges::all_of(last, is_digit);
}

}  // namespace sbx::policy
