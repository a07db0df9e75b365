// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace sbx::wire {

// How the guest knows the host: its forward proxy, and by any other port the host's own localhost.
inline constexpr const char* kHostAlias = "host.docker.internal";
inline constexpr std::uint16_t kProxyPort = 3128;

// What a program of the guest's wants to reach: a name that the guest's name server was asked for, or an address as in
// a URL.
struct Connect {
  std::string host;
  std::uint16_t port = 0;
};

// Somebody on the host has come to a published port: to this one, on the guest's loopback.
struct Accept {
  std::uint16_t port = 0;
};

// --publish [[HOST_IP:]HOST_PORT:]PORT
struct PublishedPort {
  std::string host_ip = "127.0.0.1";
  std::uint16_t host_port = 0;  // 0: any that is free
  std::uint16_t port = 0;       // in the guest

  bool operator==(const PublishedPort&) const = default;
};
std::string text(const PublishedPort& port);  // 127.0.0.1:8080->80/tcp

// --add-host NAME:IP
struct StaticHost {
  std::string name;
  std::string address;

  bool operator==(const StaticHost&) const = default;
};

// The network of one sandbox, as the daemon tells it to the shim. SECURITY: the authority's key is not in it. The shim
// reads that from its state directory when the processes that it forks are forked, so that none of them has it.
struct NetworkConfig {
  Json rules = Json::object();  // policy::encode(Rules)
  std::vector<StaticHost> hosts;
  std::vector<PublishedPort> ports;
  std::string ca_certificate;  // PEM
};

// The lists, for other values that hold them; a member that is absent is an empty list. Errors go to `fields`.
std::vector<PublishedPort> decode_ports(Fields& fields, const char* name);
std::vector<StaticHost> decode_hosts(Fields& fields, const char* name);
Json encode_ports(const std::vector<PublishedPort>& ports);
Json encode_hosts(const std::vector<StaticHost>& hosts);

Result<Connect> decode_connect(const Json& json);
Result<Accept> decode_accept(const Json& json);
Result<PublishedPort> decode_published_port(const Json& json);
Result<StaticHost> decode_static_host(const Json& json);
Result<NetworkConfig> decode_network_config(const Json& json);
Json encode(const Connect& connect);
Json encode(const Accept& accept);
Json encode(const PublishedPort& port);
Json encode(const StaticHost& host);
Json encode(const NetworkConfig& config);

}  // namespace sbx::wire
