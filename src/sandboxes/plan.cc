// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/plan.h"

#include "agents/agents.h"
#include "base/shared_directories.h"
#include "sandboxes/mounts.h"
#include "sandboxes/publishing.h"
#include "store/name.h"

namespace sbx::sandboxes {
namespace {

constexpr std::string_view kDefaultTemplate = "shell";

std::string template_of(const wire::CreateRequest& request) {
  if (!request.template_name.empty()) return request.template_name;
  const agents::Agent* agent = agents::find(request.agent);
  return agent != nullptr ? agent->template_name() : std::string(kDefaultTemplate);
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

}  // namespace

Result<wire::CreateRequest> checked_request(wire::CreateRequest request, const Parts& parts, const Registry& registry) {
  if (!request.agent.empty() || !request.reuse) TRY(store::check_agent_name(request.agent));
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
  return request;
}

Result<Plan> plan_for(wire::CreateRequest checked, const Parts& parts) {
  Plan plan;
  plan.template_name = template_of(checked);
  plan.request = std::move(checked);
  TRY_ASSIGN(plan.config, parts.config());
  TRY_ASSIGN(plan.rules, parts.rules());
  return plan;
}

}  // namespace sbx::sandboxes
