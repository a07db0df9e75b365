// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/remote.h"

#include "base/value.h"
#include "cli/client/cancel_on_signal.h"
#include "policy/rules_file.h"
#include "wire/shim_control.h"

namespace sbx::cli {
namespace {

// An empty segment would name the collection, not a member of it.
Result<Client::Path> path_to(const std::string& name, const std::string& action = {}) {
  if (name.empty()) return fail(Code::kInvalid, "the sandbox's name is empty");
  Client::Path path{"sandboxes", name};
  if (!action.empty()) path.push_back(action);
  return path;
}

Result<Client::Path> path_to_network(const std::string& name, const std::string& part) {
  TRY_ASSIGN(Client::Path path, path_to(name, "network"));
  path.push_back(part);
  return path;
}

Result<wire::SandboxInfo> act_on(const Client& client, const std::string& name, const std::string& action,
                                 const Json& body = Json::object()) {
  TRY_ASSIGN(const Client::Path path, path_to(name, action));
  TRY_ASSIGN(const Json json, client.post(path, body));
  return value_of<wire::SandboxInfo>(json, "sandbox", Unknown::kIgnored);
}

}  // namespace

Result<std::vector<wire::AgentInfo>> list_agents(const Client& client) {
  TRY_ASSIGN(const Json json, client.get({"agents"}));
  TRY_ASSIGN(auto list, value_of<wire::AgentList>(json, "list of agents", Unknown::kIgnored));
  return std::move(list.agents);
}

Result<wire::AgentUpdated> update_agent(const Client& client, const std::string& agent, const std::string& version,
                                        const OnStep& on_step) {
  wire::AgentUpdated updated;
  TRY(client.post_for_events({"agents", agent, "update"}, json_of(wire::AgentUpdate{version}),
                             steps_and_value(on_step, updated)));
  return updated;
}

Result<std::vector<wire::SandboxInfo>> list_sandboxes(const Client& client) {
  TRY_ASSIGN(const Json json, client.get({"sandboxes"}));
  TRY_ASSIGN(auto list, value_of<wire::SandboxList>(json, "list of sandboxes", Unknown::kIgnored));
  return std::move(list.sandboxes);
}

Result<SharedDirectories> shared_directories(const Client& client) {
  TRY_ASSIGN(const auto sandboxes, list_sandboxes(client));
  SharedDirectories shared;
  for (const wire::SandboxInfo& sandbox : sandboxes) {
    for (const auto* mounts : {&sandbox.workspaces, &sandbox.mounts})
      for (const wire::Mount& mount : *mounts)
        if (!mount.readonly) shared.add(mount.source, sandbox.name);
    shared.add(sandbox.state_directory, sandbox.name);  // a container's writable layer may be in it
  }
  return shared;
}

Result<wire::SandboxInfo> get_sandbox(const Client& client, const std::string& name) {
  TRY_ASSIGN(const Client::Path path, path_to(name));
  TRY_ASSIGN(const Json json, client.get(path));
  return value_of<wire::SandboxInfo>(json, "sandbox", Unknown::kIgnored);
}

Result<wire::SandboxInfo> create_sandbox(const Client& client, const wire::CreateRequest& request,
                                         const OnStep& on_step) {
  wire::SandboxInfo made;
  const auto key = wire::RequestKey::random();
  TRY_ASSIGN(const CancelOnSignal cancel, CancelOnSignal::begin(client, key));
  TRY(client.post_for_events({"sandboxes"}, json_of(request), steps_and_value(on_step, made), key));
  return made;
}

Result<wire::Saved> save_sandbox(const Client& client, const std::string& name, const std::string& tag,
                                 const OnStep& on_step) {
  TRY_ASSIGN(const Client::Path path, path_to(name, "save"));
  wire::Saved saved;
  TRY(client.post_for_events(path, json_of(wire::SaveRequest{tag}), steps_and_value(on_step, saved)));
  return saved;
}

Result<> get_template_archive(const Client& client, const std::string& name, const Client::OnBytes& on_bytes) {
  return client.get_file({"templates", name, "archive"}, on_bytes);
}

Result<wire::SandboxInfo> start_sandbox(const Client& client, const std::string& name) {
  return act_on(client, name, "start");
}

Result<wire::SandboxInfo> stop_sandbox(const Client& client, const std::string& name, std::chrono::milliseconds grace) {
  return act_on(client, name, "stop", json_of(wire::StopRequest{grace.count()}));
}

Result<> remove_sandbox(const Client& client, const std::string& name) {
  TRY_ASSIGN(const Client::Path path, path_to(name));
  TRY(client.remove(path));
  return Ok{};
}

Result<> remove_stopped_sandbox(const Client& client, const std::string& name) {
  TRY_ASSIGN(const Client::Path path, path_to(name));
  TRY(client.remove(path, {{"stopped", "1"}}));
  return Ok{};
}

Result<wire::DiskUsage> disk_usage(const Client& client, const std::string& sandbox) {
  Client::Query query;
  if (!sandbox.empty()) query.emplace_back("sandbox", sandbox);
  TRY_ASSIGN(const Json json, client.get({"system", "df"}, query));
  return value_of<wire::DiskUsage>(json, "disk usage", Unknown::kIgnored);
}

Result<wire::SystemPruned> prune_system(const Client& client) {
  TRY_ASSIGN(const Json json, client.post({"system", "prune"}, Json::object()));
  return value_of<wire::SystemPruned>(json, "what was pruned", Unknown::kIgnored);
}

Result<policy::Rules> get_policy(const Client& client, const std::string& name) {
  TRY_ASSIGN(const Client::Path path, path_to_network(name, "policy"));
  TRY_ASSIGN(const Json json, client.get(path));
  return policy::decode_rules(json, "the daemon's answer");
}

Result<policy::Rules> edit_policy(const Client& client, const std::string& name,
                                  const std::vector<policy::Edit>& edits) {
  TRY_ASSIGN(const Client::Path path, path_to_network(name, "policy"));
  TRY_ASSIGN(const Json json, client.post(path, json_of(wire::PolicyEdits{edits})));
  return policy::decode_rules(json, "the daemon's answer");
}

Result<policy::PolicyCheck> check_policy(const Client& client, const std::string& name, const std::string& target) {
  TRY_ASSIGN(const Client::Path path, path_to_network(name, "check"));
  TRY_ASSIGN(const Json json, client.get(path, {{"target", target}}));
  return value_of<policy::PolicyCheck>(json, "the daemon's answer", Unknown::kIgnored);
}

Result<wire::NetworkLog> get_network_log(const Client& client, const Client::Query& query) {
  TRY_ASSIGN(const Json json, client.get({"network", "log"}, query));
  return value_of<wire::NetworkLog>(json, "network log", Unknown::kIgnored);
}

Result<std::vector<wire::PublishedPort>> change_ports(const Client& client, const std::string& name,
                                                      const std::vector<wire::PublishedPort>& publish,
                                                      const std::vector<wire::PublishedPort>& unpublish) {
  TRY_ASSIGN(const Client::Path path, path_to_network(name, "ports"));
  TRY_ASSIGN(const Json json, client.post(path, json_of(wire::PortsChange{publish, unpublish})));
  TRY_ASSIGN(auto list, value_of<wire::PortList>(json, "ports", Unknown::kIgnored));
  return std::move(list.ports);
}

Result<std::vector<wire::McpGrant>> change_mcp_grants(const Client& client, const std::string& name,
                                                      const wire::McpChange& change) {
  TRY_ASSIGN(const Client::Path path, path_to(name, "mcp"));
  TRY_ASSIGN(const Json json, client.post(path, json_of(change)));
  TRY_ASSIGN(auto grants, value_of<wire::McpGrants>(json, "MCP servers", Unknown::kIgnored));
  return std::move(grants.mcp);
}

Result<exchange::Upgraded> open_exec(const Client& client, const std::string& name, const wire::ExecRequest& request) {
  TRY_ASSIGN(const Client::Path path, path_to(name, "exec"));
  return client.upgrade(path, "sandbox-exec", json_of(request));
}

Result<std::vector<wire::SessionInfo>> list_sessions(const Client& client, const std::string& name) {
  TRY_ASSIGN(const Client::Path path, path_to(name, "sessions"));
  TRY_ASSIGN(const Json json, client.get(path));
  TRY_ASSIGN(auto list, value_of<wire::SessionList>(json, "sessions", Unknown::kIgnored));
  return std::move(list.sessions);
}

Result<exchange::Upgraded> open_session(const Client& client, const std::string& name, wire::SessionNumber session,
                                        const wire::AttachRequest& request) {
  TRY_ASSIGN(Client::Path path, path_to(name, "sessions"));
  path.push_back(std::to_string(session));
  path.push_back("attach");
  return client.upgrade(path, "sandbox-exec", json_of(request));
}

Result<wire::SessionInfo> end_session(const Client& client, const std::string& name, wire::SessionNumber session) {
  TRY_ASSIGN(Client::Path path, path_to(name, "sessions"));
  path.push_back(std::to_string(session));
  TRY_ASSIGN(const Json json, client.remove(path));
  return value_of<wire::SessionInfo>(json, "session", Unknown::kIgnored);
}

Result<wire::ExecExit> exec_detached(const Client& client, const std::string& name, const wire::ExecRequest& request) {
  TRY_ASSIGN(const Client::Path path, path_to(name, "exec"));
  TRY_ASSIGN(const Json json, client.post(path, json_of(request)));
  TRY_ASSIGN(auto started, value_of<wire::DetachedStart>(json, "exec", Unknown::kIgnored));
  return started.exit.value_or(wire::ExecExit{});
}

}  // namespace sbx::cli
