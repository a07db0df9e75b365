// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "guest/boot/accounts.h"
#include "wire/guest_mcp.h"
#include "wire/mcp.h"

// The MCP servers of a guest in the configuration of its agent.
namespace sbx::guest {

// At each start: the file of the agent has these servers, in addition to the user's own, and none that was granted
// before and is not any more; kMcpFile has them, too.
Result<> ensure_mcp_files(const wire::GuestMcp& mcp, const Account& agent, const std::string& directory = "");

// The edits, text to text. A JSON file is changed in its member alone; kInvalid: it is not one that an agent writes.
// Of a TOML file only the lines between two marks are ours.
Result<std::string> with_mcp_servers(std::string_view content, const wire::GuestMcp& mcp);

}  // namespace sbx::guest
