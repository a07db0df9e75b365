// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/plan.h"

#include <algorithm>

#include "agents/agents.h"
#include "agents/recipe.h"
#include "base/format.h"
#include "base/shared_directories.h"
#include "base/text.h"
#include "policy/edits.h"
#include "sandboxes/agent_hosts.h"
#include "sandboxes/git_worktree.h"
#include "sandboxes/mcp_servers.h"
#include "sandboxes/mounts.h"
#include "sandboxes/publishing.h"
#include "sandboxes/user_ssh_agent.h"
#include "store/name.h"

namespace sbx::sandboxes {
namespace {

constexpr std::string_view kShell = "shell";

// An agent that is not known comes by the API alone. Clients of the vendor's bring it as a container, so its sandbox
// has the template that all agents are built on: that has a Docker daemon.
std::string template_of(const wire::CreateRequest& request, const agents::Agent* agent) {
  if (!request.template_name.empty()) return request.template_name;
  return agent != nullptr ? agent->template_name() : std::string(agents::kCommonTemplate);
}

// A shell's template has no dockerd, and a container that may make others is a weaker wall.
wire::DockerMode usual_docker(const std::string& agent) {
  return agent == kShell ? wire::DockerMode::kOff : wire::DockerMode::kOnDemand;
}

// A host that the user has blocked for all new sandboxes stays blocked.
Result<policy::Rules> with_hosts_of(const agents::Agent& agent, policy::Rules rules) {
  std::vector<policy::Edit> edits;
  for (const std::string& host : agent.hosts)
    if (std::ranges::none_of(rules.blocked, [&](const auto& blocked) { return blocked.text() == host; }))
      edits.push_back({"allow-host", host});
  auto edited = policy::edited(std::move(rules), edits);
  if (!edited) return fail(std::move(edited).error().within("the hosts of agent " + agent.name));
  return edited;
}

Result<> check_environment(const wire::Environment& environment) {
  for (const auto& [key, value] : environment)
    if (key.empty() || key.find('=') != std::string::npos)
      return fail(Code::kInvalid, "bad environment variable name \"" + key + "\"");
  return Ok{};
}

// What the sandboxes that there are can write to.
SharedDirectories shared_directories(const Registry& registry) {
  SharedDirectories shared;
  for (const auto& sandbox : registry.all()) {
    const store::Record record = sandbox->record();
    for (const wire::Mount& mount : all_mounts(record.workspaces, record.mounts))
      if (!mount.readonly) shared.add(mount.source, record.name);
  }
  return shared;
}

// Whether the user has seen to it.
bool is_shared(const wire::CreateRequest& request, const std::string& directory) {
  return std::ranges::any_of(all_mounts(request.workspaces, request.mounts), [&](const wire::Mount& mount) {
    return (directory + "/").starts_with(mount.target + "/");
  });
}

Result<std::vector<wire::Mount>> repository_mounts(const GitWorktree& worktree, const MountRules& rules) {
  if (worktree.foreign.empty()) return checked_mounts(worktree.mounts, rules);
  return fail(Code::kForbidden, sbx::format("it has {}, which is not git's (-v {}:{}:ro would give all of it)",
                                            printable(worktree.foreign), worktree.repository, worktree.repository));
}

}  // namespace

Result<wire::CreateRequest> checked_request(wire::CreateRequest request, const Parts& parts, const Registry& registry) {
  if (!request.agent.empty() || !request.reuse) TRY(store::check_agent_name(request.agent));
  TRY_ASSIGN(const agents::Catalogue agents, parts.agents());
  // A record has the agent's own name, so that a sandbox made under the other is found by both.
  if (const agents::Agent* agent = agents.find(request.agent); agent != nullptr) request.agent = agent->name;
  if (!request.name.empty()) TRY(store::check_name(request.name));
  TRY(check_environment(request.environment));
  if (!request.directory.empty() && !request.directory.starts_with('/'))
    return fail(Code::kInvalid, "working directory " + request.directory + ": it must be an absolute path");
  const HostPlaces places = HostPlaces::find(parts.store.home().root());
  const SharedDirectories shared = shared_directories(registry);
  const MountRules rules{request.allow_home, places, shared};
  TRY_ASSIGN(request.workspaces, checked_workspaces(request.workspaces, rules));
  TRY_ASSIGN(request.mounts, checked_mounts(request.mounts, rules));
  TRY(check_targets_differ(request.workspaces, request.mounts));
  TRY(check_nested(all_mounts(request.workspaces, request.mounts)));
  TRY_ASSIGN(request.ports, checked_ports(request.ports));
  TRY_ASSIGN(request.hosts, checked_hosts(request.hosts));
  TRY(check_mcp(request, registry));
  if (!request.ssh_agent.empty()) {
    SharedDirectories all = shared;
    for (const wire::Mount& mount : all_mounts(request.workspaces, request.mounts))
      if (!mount.readonly) all.add(mount.source, "that is asked for");
    TRY(check_ssh_agent(request.ssh_agent, all));
  }
  return request;
}

WithRepositories with_repositories(wire::CreateRequest checked, const Parts& parts, const Registry& registry) {
  WithRepositories with{std::move(checked), ""};
  const HostPlaces places = HostPlaces::find(parts.store.home().root());
  const SharedDirectories shared = shared_directories(registry);
  const MountRules rules{with.request.allow_home, places, shared};
  for (const wire::Mount& workspace : with.request.workspaces) {
    const auto worktree = git_worktree(workspace);
    if (!worktree || is_shared(with.request, worktree->repository)) continue;
    wire::CreateRequest more = with.request;
    auto mounts = repository_mounts(*worktree, rules);
    if (mounts) more.mounts.insert(more.mounts.end(), mounts->begin(), mounts->end());
    const Result<> fits = mounts ? check_nested(all_mounts(more.workspaces, more.mounts)) : fail(mounts.error());
    with.note += (with.note.empty() ? "" : "\n") +
                 (fits ? sbx::format("Git worktree: its repository {} is mounted, too; hooks and config are read-only.",
                                     printable(worktree->repository))
                       : sbx::format("Git worktree: git will not work in the sandbox, because its repository {} cannot "
                                     "be mounted: {}.",
                                     printable(worktree->repository), printable(fits.error().what())));
    if (fits) with.request.mounts = std::move(more.mounts);
  }
  return with;
}

Result<Plan> plan_for(wire::CreateRequest checked, const Parts& parts) {
  Plan plan;
  TRY_ASSIGN(const agents::Catalogue agents, parts.agents());
  const agents::Agent* const agent = agents.find(checked.agent);
  plan.template_name = template_of(checked, agent);
  plan.agent_command = agent != nullptr ? agent->command : std::vector{checked.agent};
  plan.request = std::move(checked);
  if (plan.request.docker == wire::DockerMode::kUnset) plan.request.docker = usual_docker(plan.request.agent);
  TRY_ASSIGN(plan.config, parts.config());
  TRY_ASSIGN(plan.rules, parts.rules());
  if (agent != nullptr) {
    TRY_ASSIGN(plan.rules, with_hosts_of(*agent, std::move(plan.rules)));
  }
  TRY_ASSIGN(plan.rules, policy::edited(std::move(plan.rules), with_agent_hosts(plan.request.policy, agent)));
  return plan;
}

}  // namespace sbx::sandboxes
