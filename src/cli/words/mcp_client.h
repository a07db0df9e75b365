// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agents/mcp_clients.h"
#include "base/json.h"
#include "base/result.h"

// Our MCP server in the configuration of an agent on the host.
namespace sbx::cli {

using agents::McpClient;

Result<McpClient> mcp_client(std::string_view name);

// What installing it would do. Nothing is written yet.
struct McpInstallation {
  std::string file;
  std::string entry;      // the part that is new, for people
  std::string content;    // the file as it will be
  bool is_there = false;  // just so already
};
// kConflict: another server has the name. kInvalid: the file is not what the agent writes.
Result<McpInstallation> installation_for(const McpClient& client, const std::vector<std::string>& command);
Result<> write_installation(const McpInstallation& installation);

}  // namespace sbx::cli
