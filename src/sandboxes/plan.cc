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
  return std::string(agent != nullptr ? agent->template_name : kDefaultTemplate);
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

Result<Plan> plan_for(const wire::CreateRequest& request, const Parts& parts, const Registry& registry) {
  TRY(store::check_agent_name(request.agent));
  if (!request.name.empty()) TRY(store::check_name(request.name));
  TRY(check_environment(request.environment));
  if (!request.directory.empty() && !request.directory.starts_with('/'))
    return fail(Code::kInvalid, "working directory " + request.directory + ": it must be an absolute path");
  Plan plan{request, template_of(request), {}, {}};
  const HostPlaces places = HostPlaces::find(parts.store.home().root());
  const SharedDirectories shared = shared_directories(registry);
  const MountRules rules{request.allow_home, places, shared};
  TRY_ASSIGN(plan.request.workspaces, checked_workspaces(request.workspaces, rules));
  TRY_ASSIGN(plan.request.mounts, checked_mounts(request.mounts, rules));
  TRY(check_targets_differ(plan.request.workspaces, plan.request.mounts));
  TRY(check_nested(all_mounts(plan.request.workspaces, plan.request.mounts)));
  TRY_ASSIGN(plan.request.ports, checked_ports(request.ports));
  TRY_ASSIGN(plan.request.hosts, checked_hosts(request.hosts));
  TRY_ASSIGN(plan.config, parts.config());
  TRY_ASSIGN(plan.rules, parts.rules());
  return plan;
}

}  // namespace sbx::sandboxes
