// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "base/result.h"
#include "policy/host.h"

namespace sbx::policy {

// What a host rule is about:
//   example.com       that host, on any port; not its subdomains
//   example.com:443   that host on that port
//   *.example.com     its subdomains, however deep; not itself; with a port too
//   * and *:443       everything
//   192.0.2.1, [2001:db8::1]:443   an address, as long as it is asked for as such
// host.docker.internal is kept as localhost.
class Pattern {
 public:
  static Result<Pattern> parse(std::string_view text);
  // The same of a host and a port only, and nothing more general.
  static Result<Pattern> parse_endpoint(std::string_view text);
  // That host and nothing else, on that port or on any.
  static Pattern exactly(const Host& host, std::optional<std::uint16_t> port);

  bool matches(const Host& host, std::uint16_t port) const;
  // Of all patterns that match a host and port, the one where this is greatest decides: a host before any wildcard, a
  // longer wildcard before a shorter one, and then the one with a port.
  auto specificity() const { return std::tuple(is_exact(), suffix_.size(), port_.has_value()); }

  bool is_exact() const { return host_.has_value(); }
  const std::optional<Host>& host() const { return host_; }  // unless it is a wildcard
  const std::string& suffix() const { return suffix_; }      // of a wildcard: example.com; empty for *
  const std::optional<std::uint16_t>& port() const { return port_; }
  std::string text() const;

  bool operator==(const Pattern&) const = default;

 private:
  Pattern(std::optional<Host> host, std::string suffix, std::optional<std::uint16_t> port);

  std::optional<Host> host_;
  std::string suffix_;
  std::optional<std::uint16_t> port_;
};

}  // namespace sbx::policy
