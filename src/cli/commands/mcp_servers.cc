// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/format.h"
#include "base/home.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/client/remote.h"
#include "cli/commands/each.h"
#include "cli/commands/verbs.h"
#include "cli/views/mcp_listing.h"
#include "cli/views/output.h"
#include "cli/words/creation.h"
#include "cli/words/mcp_remotes.h"
#include "policy/target.h"

namespace sbx::cli::verbs {
namespace {

// A server that no one speaks with need not take memory; the next one to speak starts it.
constexpr std::int64_t kIdleServer = 10 * 60;

Result<std::vector<McpServerInfo>> all_servers(const Client& client) {
  TRY_ASSIGN(const Home home, Home::find());
  TRY_ASSIGN(const auto sandboxes, list_sandboxes(client));
  return mcp_servers(sandboxes, mcp_remotes(home));
}

Result<McpServerInfo> find_server(const Client& client, const std::string& name) {
  TRY_ASSIGN(auto servers, all_servers(client));
  const auto found = std::ranges::find(servers, name, &McpServerInfo::name);
  if (found == servers.end())
    return fail(Code::kNotFound, sbx::format("there is no MCP server \"{}\"", printable(name)), "sandbox mcp ls");
  return std::move(*found);
}

std::vector<std::string> command_from(const Arguments& arguments) {
  if (arguments.given("command")) return {"sh", "-c", arguments.text("command")};
  return arguments.rest();
}

Result<> check_ways(const Arguments& arguments) {
  const int ways =
      (arguments.given("command") ? 1 : 0) + (arguments.given("url") ? 1 : 0) + (arguments.rest().empty() ? 0 : 1);
  if (ways != 1)
    return fail(Code::kInvalid, "which server? One of -- COMMAND, --command LINE and --url URL",
                "sandbox mcp add files -- mcp-server-filesystem /data");
  if (arguments.given("command") && trimmed(arguments.text("command")).empty())
    return fail(Code::kInvalid, "--command is empty");
  if (arguments.given("name")) return fail(Code::kInvalid, "--name: the sandbox of an MCP server is called mcp-NAME");
  for (const auto& [flag, value] : arguments.in_order())
    if (arguments.given("url") && flag != "url" && flag != "quiet")
      return fail(Code::kInvalid, sbx::format("--{} is for a server that runs in a sandbox, and --url names one that "
                                              "does not",
                                              flag));
  return Ok{};
}

void say_added(const Context& context, const Arguments& arguments, const std::string& name) {
  if (arguments.on("quiet")) return print(name + "\n");
  print(sbx::format("{} Added the MCP server {}\n  For an agent: {} run --mcp {} claude\n",
                    styled(context.streams.out, Style::kGood, "✓"), name, context.program, name));
}

Result<> add_remote(const Client& client, const std::string& name, const std::string& url) {
  TRY_ASSIGN(const Home home, Home::find());
  if (!url.starts_with("https://") && !url.starts_with("http://"))
    return fail(Code::kInvalid, "--url " + printable(url) + ": must be a URL of http or https");
  TRY(policy::parse_target(url));
  if (get_sandbox(client, wire::mcp_sandbox(name)))
    return fail(Code::kConflict, "there is an MCP server " + name + " already", "sandbox mcp rm " + name);
  return add_mcp_remote(home, {name, url});
}

// It is not the user's agent, and sees what agents send to it: it has no workspace, and reaches nothing, unless asked.
Result<wire::CreateRequest> server_request(const Context& context, const Arguments& arguments,
                                           const std::string& name) {
  TRY_ASSIGN(wire::CreateRequest request, create_request(context, arguments, "shell", {}));
  if (!arguments.given("workspace")) request.workspaces.clear();
  request.name = wire::mcp_sandbox(name);
  request.mcp_command = command_from(arguments);
  request.policy.insert(request.policy.begin(), {"policy", "deny"});
  request.no_guidance = true;
  if (request.idle_stop_s == 0) request.idle_stop_s = kIdleServer;
  return request;
}

Result<> add_server(const Context& context, const Client& client, const Arguments& arguments, const std::string& name) {
  TRY_ASSIGN(const Home home, Home::find());
  TRY_ASSIGN(const auto remote, find_mcp_remote(home, name));
  if (remote) return fail(Code::kConflict, "there is an MCP server " + name + " already", "sandbox mcp rm " + name);
  TRY_ASSIGN(const wire::CreateRequest request, server_request(context, arguments, name));
  TRY(create_with_progress(context, client, request, arguments.on("quiet")));
  return Ok{};
}

// SANDBOX NAME...
std::vector<std::string> names_after(const Arguments& arguments) {
  return {arguments.operands().begin() + 1, arguments.operands().end()};
}

}  // namespace

Result<int> mcp_add(Context& context, const Arguments& arguments) {
  const std::string& name = arguments.operands().front();
  if (!wire::is_mcp_name(name))
    return fail(Code::kInvalid,
                printable(name) + ": the name of an MCP server has letters in lower case, digits, - and _, 32 at most");
  TRY(check_ways(arguments));
  TRY_ASSIGN(const Client client, context.client());
  TRY(arguments.given("url") ? add_remote(client, name, arguments.text("url"))
                             : add_server(context, client, arguments, name));
  say_added(context, arguments, name);
  return 0;
}

Result<int> mcp_ls(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto servers, all_servers(client));
  if (!arguments.on("json")) {
    print(mcp_table(servers));
    return 0;
  }
  Json all = Json::array();
  for (const McpServerInfo& server : servers) all.push_back(json_of(server));
  print_json({{"servers", std::move(all)}});
  return 0;
}

Result<int> mcp_inspect(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const McpServerInfo server, find_server(client, arguments.operands().front()));
  print_json(json_of(server));
  return 0;
}

Result<int> mcp_rm(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const Home home, Home::find());
  return for_each_name(context, arguments.operands(), [&](const std::string& name) -> Result<> {
    TRY_ASSIGN(const McpServerInfo server, find_server(client, name));
    TRY(server.sandbox.empty() ? remove_mcp_remote(home, name) : remove_sandbox(client, server.sandbox));
    if (!server.granted.empty())
      note(sbx::format("still granted to {}, for one that is added by this name: {} mcp revoke SANDBOX {}",
                       join(server.granted, ", "), context.program, name));
    return Ok{};
  });
}

Result<int> mcp_grant(Context& context, const Arguments& arguments) {
  const std::string& sandbox = arguments.operands().front();
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const Home home, Home::find());
  wire::McpChange change;
  for (const std::string& name : names_after(arguments)) {
    TRY_ASSIGN(wire::McpGrant grant, cli::mcp_grant(home, name));
    change.grant.push_back(std::move(grant));
  }
  TRY(change_mcp_grants(client, sandbox, change));
  TRY_ASSIGN(const wire::SandboxInfo info, get_sandbox(client, sandbox));
  if (info.status == wire::Status::kRunning) note(sbx::format("{} runs: it has them from its next start on", sandbox));
  for (const wire::McpGrant& grant : change.grant) print(grant.name + "\n");
  return 0;
}

Result<int> mcp_revoke(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  const wire::McpChange change{{}, names_after(arguments)};
  TRY(change_mcp_grants(client, arguments.operands().front(), change));
  for (const std::string& name : change.revoke) print(name + "\n");
  return 0;
}

}  // namespace sbx::cli::verbs
