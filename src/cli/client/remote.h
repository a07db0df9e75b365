// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/shared_directories.h"
#include "cli/client/client.h"
#include "cli/client/steps.h"
#include "policy/check.h"
#include "policy/edits.h"
#include "wire/agent.h"
#include "wire/exec.h"
#include "wire/network_log.h"
#include "wire/sandbox.h"
#include "wire/save.h"
#include "wire/session.h"
#include "wire/system.h"

// The daemon's resources as typed calls: paths and JSON end here.
namespace sbx::cli {

Result<std::vector<wire::AgentInfo>> list_agents(const Client& client);
Result<wire::AgentUpdated> update_agent(const Client& client, const std::string& agent, const std::string& version,
                                        const OnStep& on_step);
Result<std::vector<wire::SandboxInfo>> list_sandboxes(const Client& client);
// What any sandbox can write to on this host, whether it runs or not.
Result<SharedDirectories> shared_directories(const Client& client);
Result<wire::SandboxInfo> get_sandbox(const Client& client, const std::string& name);
// Cancelled and undone when the user says so (INT, TERM, HUP) before it is made: then the program ends here.
Result<wire::SandboxInfo> create_sandbox(const Client& client, const wire::CreateRequest& request,
                                         const OnStep& on_step);
Result<wire::Saved> save_sandbox(const Client& client, const std::string& name, const std::string& tag,
                                 const OnStep& on_step);
// An archive for `docker load`, as it comes.
Result<> get_template_archive(const Client& client, const std::string& name, const Client::OnBytes& on_bytes);
Result<wire::SandboxInfo> start_sandbox(const Client& client, const std::string& name);
Result<wire::SandboxInfo> stop_sandbox(const Client& client, const std::string& name, std::chrono::milliseconds grace);
Result<> remove_sandbox(const Client& client, const std::string& name);
Result<> remove_stopped_sandbox(const Client& client, const std::string& name);  // kConflict: it runs
// Of all, or of one sandbox.
Result<wire::DiskUsage> disk_usage(const Client& client, const std::string& sandbox = "");
Result<wire::SystemPruned> prune_system(const Client& client);
Result<policy::Rules> get_policy(const Client& client, const std::string& name);
Result<policy::Rules> edit_policy(const Client& client, const std::string& name,
                                  const std::vector<policy::Edit>& edits);
// Whether the sandbox may reach a URL or HOST[:PORT].
Result<policy::PolicyCheck> check_policy(const Client& client, const std::string& name, const std::string& target);
Result<wire::NetworkLog> get_network_log(const Client& client, const Client::Query& query);
// What is published then. Entries to take away are as the sandbox's info has them.
Result<std::vector<wire::PublishedPort>> change_ports(const Client& client, const std::string& name,
                                                      const std::vector<wire::PublishedPort>& publish,
                                                      const std::vector<wire::PublishedPort>& unpublish);
// The MCP servers that it may use then.
Result<std::vector<wire::McpGrant>> change_mcp_grants(const Client& client, const std::string& name,
                                                      const wire::McpChange& change);
Result<exchange::Upgraded> open_exec(const Client& client, const std::string& name, const wire::ExecRequest& request);
Result<std::vector<wire::SessionInfo>> list_sessions(const Client& client, const std::string& name);
Result<exchange::Upgraded> open_session(const Client& client, const std::string& name, wire::SessionNumber session,
                                        const wire::AttachRequest& request);
Result<wire::SessionInfo> end_session(const Client& client, const std::string& name, wire::SessionNumber session);
// Code 0: the command runs. Otherwise why it could not be started, as in wire/exec.h.
Result<wire::ExecExit> exec_detached(const Client& client, const std::string& name, const wire::ExecRequest& request);

}  // namespace sbx::cli
