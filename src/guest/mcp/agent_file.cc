// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/mcp/agent_file.h"

#include <algorithm>

#include "base/file.h"
#include "base/format.h"
#include "base/json.h"
#include "guest/boot/home_file.h"

namespace sbx::guest {
namespace {

constexpr std::string_view kBegin = "# MCP servers of this sandbox, written by sandbox-init at each start.\n";
constexpr std::string_view kFinish = "# End of the MCP servers of this sandbox.\n";

// Of an earlier start: what it starts is our program.
bool is_ours(const Json& entry) {
  if (!entry.is_object() || !entry.contains("command")) return false;
  const Json& command = entry["command"];
  return command == wire::kMcpProgram || (command.is_array() && !command.empty() && command[0] == wire::kMcpProgram);
}

// One on the network is known by its address: what the user has written by that name stays.
bool is_revoked(const wire::GuestMcp& mcp, const std::string& name, const Json& entry) {
  return std::ranges::find(mcp.revoked, std::pair(name, entry)) != mcp.revoked.end();
}

Result<std::string> json_with(std::string_view content, const wire::GuestMcp& mcp) {
  Json settings = Json::object();
  if (content.empty() && mcp.entries.empty()) return std::string();
  if (!content.empty()) {
    TRY_ASSIGN(settings, parse_json(content));
  }
  if (!settings.is_object()) return fail(Code::kInvalid, "it is not an object");
  if (mcp.entries.empty() && !settings.contains(mcp.member)) return std::string(content);
  Json& servers = settings[mcp.member];
  if (servers.is_null()) servers = Json::object();
  if (!servers.is_object()) return fail(Code::kInvalid, "\"" + mcp.member + "\" is not an object");
  Json kept = Json::object();
  for (const auto& [name, entry] : servers.items())
    if (!is_ours(entry) && !is_revoked(mcp, name, entry)) kept[name] = entry;
  for (const auto& [name, entry] : mcp.entries) kept[name] = entry;
  servers = std::move(kept);
  return dump_pretty(settings) + "\n";
}

std::string without_block(std::string_view content) {
  const std::size_t begin = content.find(kBegin);
  const std::size_t end = begin == std::string_view::npos ? begin : content.find(kFinish, begin);
  if (end == std::string_view::npos) return std::string(content);
  return std::string(content.substr(0, begin)) + std::string(content.substr(end + kFinish.size()));
}

// Strings, lists of strings and switches are written as in JSON. A server of the user's with the same name stays.
std::string toml_with(std::string_view content, const wire::GuestMcp& mcp) {
  std::string text = without_block(content);
  std::string block;
  for (const auto& [name, entry] : mcp.entries) {
    const std::string head = sbx::format("[{}.{}]\n", mcp.member, name);
    if (text.find(head) != std::string::npos) continue;
    block += head;
    for (const auto& [key, value] : entry.items()) block += sbx::format("{} = {}\n", key, dump(value));
  }
  if (block.empty()) return text;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text + std::string(kBegin) + block + std::string(kFinish);
}

Result<> ensure_agents_file(const wire::GuestMcp& mcp, const Account& agent, const std::string& directory) {
  TRY_ASSIGN(const OwnRoot root, OwnRoot::open(directory));
  const std::string path = agent.home + "/" + mcp.path;
  TRY_ASSIGN(const std::string before, root.read_to_change(path));
  const auto after = with_mcp_servers(before, mcp);
  if (!after) return fail(Error(after.error()).within(path));
  return *after == before ? Ok{} : write_home_file(root, path, *after, agent);
}

}  // namespace

Result<std::string> with_mcp_servers(std::string_view content, const wire::GuestMcp& mcp) {
  if (mcp.toml) return toml_with(content, mcp);
  return json_with(content, mcp);
}

Result<> ensure_mcp_files(const wire::GuestMcp& mcp, const Account& agent, const std::string& directory) {
  Json servers = Json::object();
  for (const auto& [name, entry] : mcp.plain) servers[name] = entry;
  const std::string file = directory + std::string(wire::kMcpFile);
  TRY(make_directories(file.substr(0, file.rfind('/')), 0755));
  TRY(replace_file(file, dump_pretty({{"mcpServers", servers}}) + "\n", 0644));
  return mcp.path.empty() ? Ok{} : ensure_agents_file(mcp, agent, directory);
}

}  // namespace sbx::guest
