// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/members.h"

// Servers of the Model Context Protocol for agents in sandboxes (ARCHITECTURE.md, "MCP servers of their own").
namespace sbx::wire {

// Letters in lower case, digits, - and _, 32 at most: it is a part of file names and of agents' configurations.
bool is_mcp_name(std::string_view name);
// The sandbox that a server runs in: mcp-NAME.
std::string mcp_sandbox(const std::string& server);

// A server that a sandbox may use.
struct McpGrant {
  std::string name;
  std::string url;  // of one on the network; empty: it runs in mcp_sandbox(name)

  bool operator==(const McpGrant&) const = default;
};

struct McpGrants {
  std::vector<McpGrant> mcp;
};

// What a sandbox may not use any more, and what it may: one of the same name is replaced.
struct McpChange {
  std::vector<McpGrant> grant;
  std::vector<std::string> revoke;
};

// What a shim tells the daemon: a program in its guest wants to speak with a server. The answer to it is an McpCall.
struct McpWanted {
  std::int64_t ticket = 0;
  std::string server;
};

// The first line of a connection to a server is the daemon's: this, or why there is no server.
inline constexpr std::string_view kMcpConnected = "ok\n";

// Where every guest has the program that connects standard input and output to a server (guest/mcp/program.h), and
// where the sockets are that it connects to: DIRECTORY/NAME.sock.
inline constexpr std::string_view kMcpProgram = "/run/sandbox/bin/sandbox-mcp";
inline constexpr std::string_view kMcpSockets = "/run/sandbox/mcp";
// All servers of a guest, in the form that most agents read.
inline constexpr std::string_view kMcpFile = "/run/sandbox/mcp.json";

void describe(Members& members, McpGrant& grant);
void describe(Members& members, McpGrants& grants);
void describe(Members& members, McpChange& change);
void describe(Members& members, McpWanted& wanted);

}  // namespace sbx::wire
