// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/guest_mcp.h"

#include "agents/mcp_clients.h"

namespace sbx::sandboxes {
namespace {

Json entry_of(const agents::McpClient& client, const wire::McpGrant& grant) {
  return grant.url.empty() ? client.local({std::string(wire::kMcpProgram), grant.name}) : client.remote(grant.url);
}

}  // namespace

wire::GuestMcp guest_mcp(const store::Record& record) {
  wire::GuestMcp mcp;
  const agents::McpClient* const client = agents::find_mcp_client(record.agent);
  if (client != nullptr) {
    mcp.path = client->file;
    mcp.member = client->member;
    mcp.toml = client->format == agents::McpFormat::kToml;
  }
  for (const wire::McpGrant& grant : record.mcp) {
    if (grant.url.empty()) mcp.servers.push_back(grant.name);
    if (client != nullptr) mcp.entries.emplace_back(grant.name, entry_of(*client, grant));
    mcp.plain.emplace_back(grant.name, entry_of(agents::plain_mcp_client(), grant));
  }
  for (const wire::McpGrant& grant : record.mcp_revoked)
    if (client != nullptr) mcp.revoked.emplace_back(grant.name, entry_of(*client, grant));
  return mcp;
}

}  // namespace sbx::sandboxes
