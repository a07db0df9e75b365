// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/mcp_listing.h"

#include <algorithm>

#include "base/text.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

constexpr std::string_view kSandboxPrefix = "mcp-";

std::vector<std::string> granted_to(const wire::McpGrant& server, const std::vector<wire::SandboxInfo>& sandboxes) {
  std::vector<std::string> names;
  for (const wire::SandboxInfo& sandbox : sandboxes)
    if (std::ranges::find(sandbox.mcp, server) != sandbox.mcp.end()) names.push_back(sandbox.name);
  return names;
}

}  // namespace

void describe(Members& members, McpServerInfo& server) {
  members.required("name", server.name);
  members.sparse("url", server.url);
  members.sparse("command", server.command);
  members.sparse("sandbox", server.sandbox);
  members.sparse("status", server.status);
  members.optional("granted", server.granted);
}

std::vector<McpServerInfo> mcp_servers(const std::vector<wire::SandboxInfo>& sandboxes,
                                       const std::vector<wire::McpGrant>& remotes) {
  std::vector<McpServerInfo> servers;
  for (const wire::SandboxInfo& sandbox : sandboxes) {
    if (sandbox.mcp_command.empty() || !sandbox.name.starts_with(kSandboxPrefix)) continue;
    const std::string name = sandbox.name.substr(kSandboxPrefix.size());
    servers.push_back({.name = name,
                       .url = "",
                       .command = sandbox.mcp_command,
                       .sandbox = sandbox.name,
                       .status = std::string(word_of(sandbox.status)),
                       .granted = granted_to({name, ""}, sandboxes)});
  }
  for (const wire::McpGrant& remote : remotes)
    servers.push_back({.name = remote.name,
                       .url = remote.url,
                       .command = {},
                       .sandbox = "",
                       .status = "",
                       .granted = granted_to(remote, sandboxes)});
  std::ranges::sort(servers, {}, &McpServerInfo::name);
  return servers;
}

std::string mcp_table(const std::vector<McpServerInfo>& servers) {
  std::vector<std::vector<std::string>> rows{{"NAME", "SANDBOX", "STATUS", "SERVER", "GRANTED TO"}};
  for (const McpServerInfo& server : servers)
    rows.push_back({server.name, server.sandbox.empty() ? "-" : server.sandbox,
                    server.status.empty() ? "-" : server.status,
                    server.url.empty() ? join(server.command, " ") : server.url, join(server.granted, ", ")});
  return columns(rows);
}

}  // namespace sbx::cli
