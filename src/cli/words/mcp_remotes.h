// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/home.h"
#include "base/result.h"
#include "wire/mcp.h"

// The MCP servers on the network that were added: <home>/mcp/NAME.json, a file each.
namespace sbx::cli {

std::vector<wire::McpGrant> mcp_remotes(const Home& home);
Result<std::optional<wire::McpGrant>> find_mcp_remote(const Home& home, const std::string& name);
Result<> add_mcp_remote(const Home& home, const wire::McpGrant& server);  // kConflict: the name is taken
Result<> remove_mcp_remote(const Home& home, const std::string& name);

// What --mcp NAME asks for: the server of that name on the network, else the one in a sandbox, which the daemon knows.
Result<wire::McpGrant> mcp_grant(const Home& home, const std::string& name);

}  // namespace sbx::cli
