// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/host.h"

#include <algorithm>

#include "base/format.h"
#include "base/text.h"

namespace sbx::policy {
namespace {

constexpr std::size_t kLongestName = 253;
constexpr std::size_t kLongestLabel = 63;
constexpr std::int64_t kLargestPort = 65535;

Failure bad_host(std::string_view text, std::string_view why) {
  return fail(Code::kInvalid, sbx::format("bad host \"{}\": {}", printable(text.substr(0, kLongestName)), why));
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool in_label(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

bool is_label(std::string_view label) {
  return !label.empty() && label.size() <= kLongestLabel && label.front() != '-' && label.back() != '-';
}

bool are_labels(std::string_view name) {
  for (;;) {
    const auto dot = name.find('.');
    if (!is_label(name.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

// Why this lower-case text is no name; empty: it is one.
std::string_view fault_in(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
    return "write names of other scripts as A-labels (xn--...)";
  if (name.find(':') != std::string_view::npos) return "write an IPv6 address in brackets, such as [::1]";
  if (!std::ranges::all_of(name, [](char c) { return in_label(c) || c == '.'; }))
    return "names have letters, digits, hyphens, underscores and dots";
  if (name.size() > kLongestName || !are_labels(name))
    return "a name has labels of 1 to 63 characters, no hyphen at their ends, and 253 in all";
  return {};
}

Result<Host> parse_bracketed(std::string_view text) {
  const std::string_view inside = text.substr(1, text.size() - 2);
  const auto address = Address::parse(inside);
  if (!address || inside.find(':') == std::string_view::npos)
    return bad_host(text, "no IPv6 address is in the brackets");
  return Host(*address);
}

Result<std::uint16_t> parse_port(std::string_view text, std::string_view digits) {
  const bool plain = !digits.empty() && digits.front() >= '1' && digits.front() <= '9';
  const auto value = plain ? parse_integer(digits) : std::nullopt;
  if (!value || *value > kLargestPort) return bad_host(text, "its port is not a number from 1 to 65535");
  return static_cast<std::uint16_t>(*value);
}

}  // namespace

Host::Host(const Address& address)
    : text_(address.is_v4() ? address.text() : "[" + address.text() + "]"), address_(address) {}

Result<Host> Host::parse(std::string_view text) {
  if (text.size() > 1 && text.front() == '[' && text.back() == ']') return parse_bracketed(text);
  if (looks_numeric(text) && text.find(':') == std::string_view::npos) {
    if (const auto address = Address::parse(text)) return Host(*address);
    return bad_host(text, "write an IPv4 address as four decimal numbers, such as 192.0.2.1");
  }
  std::string name(text.substr(0, kLongestName + 2));  // enough to see that it is too long
  std::ranges::transform(name, name.begin(), lower);
  if (name.ends_with('.')) name.pop_back();
  if (const auto fault = fault_in(name); !fault.empty()) return bad_host(text, fault);
  return Host(std::move(name));
}

Result<HostAndPort> split_port(std::string_view text) {
  const auto bracket = text.starts_with('[') ? text.find(']') : std::string_view::npos;
  const auto host_end = bracket == std::string_view::npos ? text.find(':') : bracket + 1;
  if (host_end == std::string_view::npos || host_end == text.size()) return HostAndPort{text, std::nullopt};
  const std::string_view rest = text.substr(host_end);
  if (rest.front() != ':') return bad_host(text, "something other than a port follows the bracket");
  if (rest.find(':', 1) != std::string_view::npos)
    return bad_host(text, "write an IPv6 address in brackets, such as [::1]");
  TRY_ASSIGN(const auto port, parse_port(text, rest.substr(1)));
  return HostAndPort{text.substr(0, host_end), port};
}

}  // namespace sbx::policy
