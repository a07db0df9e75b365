// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/mcp_remotes.h"

#include "base/file.h"
#include "base/text.h"
#include "base/value.h"

namespace sbx::cli {
namespace {

constexpr std::string_view kSuffix = ".json";

std::string mcp_directory(const Home& home) { return home.root() + "/mcp"; }

std::string file_of(const Home& home, const std::string& name) {
  return mcp_directory(home) + "/" + name + std::string(kSuffix);
}

}  // namespace

Result<std::optional<wire::McpGrant>> find_mcp_remote(const Home& home, const std::string& name) {
  const std::string file = file_of(home, name);
  if (!wire::is_mcp_name(name) || !exists(file)) return std::nullopt;
  TRY_ASSIGN(const std::string text, read_file(file));
  TRY_ASSIGN(wire::McpGrant server, value_in<wire::McpGrant>(text, file, Unknown::kIgnored));
  return server;
}

// One that cannot be read is not shown, and said by what uses it.
std::vector<wire::McpGrant> mcp_remotes(const Home& home) {
  std::vector<wire::McpGrant> servers;
  for (const std::string& file : names_in(mcp_directory(home))) {
    if (!file.ends_with(kSuffix)) continue;
    const auto found = find_mcp_remote(home, file.substr(0, file.size() - kSuffix.size()));
    if (found && *found) servers.push_back(**found);
  }
  return servers;
}

Result<> add_mcp_remote(const Home& home, const wire::McpGrant& server) {
  TRY(make_directories(mcp_directory(home)));
  auto made = create_file(file_of(home, server.name), text_of(server) + "\n");
  if (!made && made.error().code() == Code::kConflict)
    return fail(Code::kConflict, "there is an MCP server " + server.name + " already", "sandbox mcp rm " + server.name);
  return made;
}

Result<> remove_mcp_remote(const Home& home, const std::string& name) { return remove_file(file_of(home, name)); }

Result<wire::McpGrant> mcp_grant(const Home& home, const std::string& name) {
  if (!wire::is_mcp_name(name))
    return fail(Code::kInvalid, "--mcp " + printable(name) + ": that is no name of an MCP server", "sandbox mcp ls");
  TRY_ASSIGN(auto remote, find_mcp_remote(home, name));
  return remote ? std::move(*remote) : wire::McpGrant{name, ""};
}

}  // namespace sbx::cli
