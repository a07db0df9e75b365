// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

// Where agents have their MCP servers, on the host and in sandboxes, and how they write one down.
namespace sbx::agents {

enum class McpFormat { kJson, kToml };

struct McpClient {
  std::string_view name;
  std::string_view file;                // below the home directory
  std::string_view directory_variable;  // the user's own place for the directory of the file; empty: there is none
  std::string_view member;              // the object of all servers
  McpFormat format = McpFormat::kJson;
  Json (*local)(const std::vector<std::string>& command) = nullptr;
  Json (*remote)(const std::string& url) = nullptr;
};

const McpClient* find_mcp_client(std::string_view agent);  // null: it is not known
// The form that most of them read.
const McpClient& plain_mcp_client();

}  // namespace sbx::agents
