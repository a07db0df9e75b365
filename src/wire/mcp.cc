// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/mcp.h"

#include <algorithm>

namespace sbx::wire {
namespace {

constexpr std::size_t kLongestMcpName = 32;

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

}  // namespace

bool is_mcp_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestMcpName && is_lower_or_digit(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_lower_or_digit(c) || c == '-' || c == '_'; });
}

std::string mcp_sandbox(const std::string& server) { return "mcp-" + server; }

void describe(Members& members, McpGrant& grant) {
  members.required("name", grant.name);
  members.sparse("url", grant.url);
  members.check(is_mcp_name(grant.name), "\"name\" of an MCP server has letters in lower case, digits, - and _");
}

void describe(Members& members, McpGrants& grants) { members.optional("mcp", grants.mcp); }

void describe(Members& members, McpChange& change) {
  members.optional("grant", change.grant);
  members.optional("revoke", change.revoke);
}

void describe(Members& members, McpWanted& wanted) {
  members.required("ticket", wanted.ticket);
  members.required("server", wanted.server);
}

}  // namespace sbx::wire
