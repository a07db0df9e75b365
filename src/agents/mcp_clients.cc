// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agents/mcp_clients.h"

#include <algorithm>

namespace sbx::agents {
namespace {

std::vector<std::string> arguments_of(const std::vector<std::string>& command) {
  return {command.begin() + 1, command.end()};
}

Json plain_local(const std::vector<std::string>& command) {
  return {{"command", command.front()}, {"args", arguments_of(command)}};
}

Json claude_local(const std::vector<std::string>& command) {
  return {{"type", "stdio"}, {"command", command.front()}, {"args", arguments_of(command)}};
}

Json copilot_local(const std::vector<std::string>& command) {
  return {{"type", "local"}, {"command", command.front()}, {"args", arguments_of(command)}, {"tools", {"*"}}};
}

Json opencode_local(const std::vector<std::string>& command) {
  return {{"type", "local"}, {"command", command}, {"enabled", true}};
}

Json plain_remote(const std::string& url) { return {{"url", url}}; }
Json claude_remote(const std::string& url) { return {{"type", "http"}, {"url", url}}; }
Json copilot_remote(const std::string& url) { return {{"type", "http"}, {"url", url}, {"tools", {"*"}}}; }
Json gemini_remote(const std::string& url) { return {{"httpUrl", url}}; }
Json opencode_remote(const std::string& url) { return {{"type", "remote"}, {"url", url}, {"enabled", true}}; }

constexpr McpClient kClients[] = {
    {"claude", ".claude.json", "CLAUDE_CONFIG_DIR", "mcpServers", McpFormat::kJson, claude_local, claude_remote},
    {"codex", ".codex/config.toml", "CODEX_HOME", "mcp_servers", McpFormat::kToml, plain_local, plain_remote},
    {"copilot", ".copilot/mcp-config.json", "", "mcpServers", McpFormat::kJson, copilot_local, copilot_remote},
    {"cursor", ".cursor/mcp.json", "", "mcpServers", McpFormat::kJson, plain_local, plain_remote},
    {"gemini", ".gemini/settings.json", "", "mcpServers", McpFormat::kJson, plain_local, gemini_remote},
    {"opencode", ".config/opencode/opencode.json", "", "mcp", McpFormat::kJson, opencode_local, opencode_remote},
};

}  // namespace

const McpClient* find_mcp_client(std::string_view agent) {
  const auto found = std::ranges::find(kClients, agent, &McpClient::name);
  return found == std::end(kClients) ? nullptr : &*found;
}

const McpClient& plain_mcp_client() { return kClients[0]; }

}  // namespace sbx::agents
