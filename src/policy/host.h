// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/address.h"

namespace sbx::policy {

// The host as its guests know it. Rules call it localhost.
inline constexpr std::string_view kHostAlias = "host.docker.internal";
inline constexpr std::string_view kLocalhost = "localhost";

// A host in the only form in which two of them are compared: a name in lower case without the final dot, or an address.
//
// Names have labels of letters, digits, hyphens (not at the ends) and underscores (which real hosts have), at most 63
// characters each and 253 in all. Names of other scripts are written as A-labels (xn--...), which are kept as they are:
// a look-alike is another name and needs a rule of its own. Refused: raw non-ASCII, escapes, empty labels, and whatever
// some resolver would read as an address that is not one in plain form (looks_numeric).
class Host {
 public:
  // "Example.COM.", "192.0.2.1", "[2001:db8::1]".
  static Result<Host> parse(std::string_view text);
  explicit Host(const Address& address);

  const std::string& text() const { return text_; }  // as in a URL: IPv6 in brackets
  const std::optional<Address>& address() const { return address_; }
  // The host itself, by either of its names: what guests may reach there is allowed port by port.
  bool is_local() const { return text_ == kHostAlias || text_ == kLocalhost; }
  // What rules are about: text(), but kLocalhost for kHostAlias.
  std::string_view ruled_name() const { return is_local() ? kLocalhost : std::string_view(text_); }

  bool operator==(const Host&) const = default;

 private:
  explicit Host(std::string name) : text_(std::move(name)) {}

  std::string text_;
  std::optional<Address> address_;
};

// "example.com", "example.com:443", "[::1]:443" cut in two. Whether the host is one is for others to say.
struct HostAndPort {
  std::string_view host;
  std::optional<std::uint16_t> port;
};
Result<HostAndPort> split_port(std::string_view text);

}  // namespace sbx::policy
