// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/members.h"
#include "wire/mcp.h"
#include "wire/sandbox.h"

// What `mcp ls` and `mcp inspect` show. Pure.
namespace sbx::cli {

struct McpServerInfo {
  std::string name;
  std::string url;                   // of one on the network
  std::vector<std::string> command;  // of one in a sandbox
  std::string sandbox;
  std::string status;
  std::vector<std::string> granted;  // the sandboxes that may use it
};
void describe(Members& members, McpServerInfo& server);

// All of both kinds, in order of name.
std::vector<McpServerInfo> mcp_servers(const std::vector<wire::SandboxInfo>& sandboxes,
                                       const std::vector<wire::McpGrant>& remotes);
std::string mcp_table(const std::vector<McpServerInfo>& servers);

}  // namespace sbx::cli
