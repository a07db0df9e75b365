// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/host.h"

namespace sbx::policy {

// Where HTTP and HTTPS are when no other port is said.
inline constexpr std::uint16_t kHttpPort = 80;
inline constexpr std::uint16_t kHttpsPort = 443;
constexpr bool is_http_port(std::uint16_t port) { return port == kHttpPort || port == kHttpsPort; }

// How a connection came to the proxy. It is logged; no decision depends on it.
enum class Path {
  kForward,      // the client asked the proxy: CONNECT, or a request with an absolute URI
  kTransparent,  // the client knows of no proxy and was captured
};

std::string_view to_string(Path path);

// What a client wants to reach.
struct Target {
  Host host;
  std::uint16_t port;
  Path path = Path::kForward;

  std::string text() const;  // example.com:443

  bool operator==(const Target&) const = default;
};

// A target in a user's words: HOST, HOST:PORT, or a URL of http, https, ws or wss. Without a port it is the scheme's,
// and 443 without a scheme. A URL's path and query are ignored; one with a user in it is refused.
Result<Target> parse_target(std::string_view text);

}  // namespace sbx::policy
