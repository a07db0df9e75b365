// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/members.h"

namespace sbx::wire {

// How the guest knows the host: its forward proxy, and by any other port the host's own localhost.
inline constexpr const char* kHostAlias = "host.docker.internal";
inline constexpr std::uint16_t kProxyPort = 3128;

// What a program of the guest's wants to reach: a name that the guest's name server was asked for, or an address as in
// a URL; or the user's ssh-agent; or an MCP server.
struct Connect {
  std::string host{};
  std::uint16_t port = 0;
  bool ssh_agent = false;
  std::string mcp{};
};

// A client on the host has come to a published port: to this one, on the guest's loopback; or to the sandbox's
// docker.sock.
struct Accept {
  std::uint16_t port = 0;
  bool docker = false;
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

struct PortList {
  std::vector<PublishedPort> ports;
};

// What is no longer published, then what is.
struct PortsChange {
  std::vector<PublishedPort> publish;
  std::vector<PublishedPort> unpublish;
};

struct HostList {
  std::vector<StaticHost> hosts;  // at least one
};

void describe(Members& members, Connect& connect);
void describe(Members& members, Accept& accept);
void describe(Members& members, PublishedPort& port);
void describe(Members& members, StaticHost& host);
void describe(Members& members, PortList& list);
void describe(Members& members, PortsChange& change);
void describe(Members& members, HostList& list);

}  // namespace sbx::wire
