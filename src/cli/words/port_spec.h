// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "wire/network.h"

namespace sbx::cli {

// One port of [[HOST_IP:]HOST_PORT:]PORT[/tcp], with what was said of the host's side.
struct PortSpec {
  std::optional<std::string> host_ip;
  std::optional<std::uint16_t> host_port;  // not 0
  std::uint16_t port = 0;

  wire::PublishedPort published() const;                // on 127.0.0.1 and any free port, unless it says otherwise
  bool matches(const wire::PublishedPort& port) const;  // as far as it says something
};

// docker's form: HOST_IP::PORT and 0:PORT take any free port, ranges of equal length (8000-8010:3000-3010) are many
// ports, IPv6 addresses are in brackets. kInvalid names `flag` and what is wrong: also another protocol than TCP, which
// is all that passes.
Result<std::vector<PortSpec>> parse_ports(std::string_view flag, const std::string& text);

// --add-host NAME:IP or NAME=IP. Whether they are a name and an address is for the daemon to say.
Result<wire::StaticHost> parse_static_host(const std::string& text);

// What `ports` shows: the vendor's columns, and the vendor's array.
std::string ports_table(const std::vector<wire::PublishedPort>& ports);
Json ports_json(const std::vector<wire::PublishedPort>& ports);

}  // namespace sbx::cli
