// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "agents/agents.h"
#include "backends/kvm.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/log.h"
#include "base/uuid.h"
#include "ca/authority.h"
#include "images/digest.h"
#include "sandboxes/isolation_note.h"
#include "sandboxes/mounts.h"
#include "sandboxes/policy_file.h"
#include "sandboxes/publishing.h"
#include "sandboxes/sandboxes.h"
#include "sandboxes/settings.h"
#include "sandboxes/socket_note.h"
#include "sandboxes/undo.h"
#include "store/name.h"

namespace sbx::sandboxes {

// A request that has been checked, with everything filled in that it left to us.
struct Sandboxes::Plan {
  wire::CreateRequest request;
  std::string template_name;
  config::Config config;
  policy::Rules rules;

  bool backend_chosen() const { return !request.backend.empty() || !config.backend.empty(); }
};

namespace {

constexpr std::string_view kDefaultTemplate = "shell";
constexpr std::size_t kLongestHostname = 63;
// Far above what builds need, far below what brings a host down.
constexpr std::int64_t kDefaultProcesses = 8192;

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

// RFC 1123 has fewer characters than a sandbox's name.
std::string hostname_from(const std::string& name) {
  std::string host = name.substr(0, kLongestHostname);
  std::ranges::replace_if(
      host, [](char c) { return c == '_' || c == '.' || c == '+'; }, '-');
  while (host.ends_with('-')) host.pop_back();
  return host;
}

store::Record record_from(const wire::CreateRequest& request, const store::Record& claimed, WallTime now) {
  store::Record record = claimed;
  record.id = new_uuid();
  record.created_at = rfc3339(now);
  record.mounts = request.mounts;
  record.environment = request.environment;
  record.directory = request.directory;
  record.hostname = hostname_from(record.name);
  record.ports = request.ports;
  record.hosts = request.hosts;
  record.allow_home = request.allow_home;
  return record;
}

Result<backends::Grant> grant_for(const wire::CreateRequest& request, const backends::Backend& backend,
                                  const std::string& home) {
  wire::Limits limits = request.limits;
  if (limits.pids == 0) limits.pids = kDefaultProcesses;
  limits.disk_bound = wire::DiskBound::kNone;
  return backend.grant(limits, home);
}

// The lines of a note: those that say something.
std::string notes_of(const std::vector<std::string>& notes) {
  std::string all;
  for (const std::string& note : notes)
    if (!note.empty()) all += (all.empty() ? "" : "\n") + note;
  return all;
}

}  // namespace

Result<Sandboxes::Plan> Sandboxes::plan_for(const wire::CreateRequest& request) {
  TRY(store::check_agent_name(request.agent));
  if (!request.name.empty()) TRY(store::check_name(request.name));
  TRY(check_environment(request.environment));
  if (!request.directory.empty() && !request.directory.starts_with('/'))
    return fail(Code::kInvalid, "working directory " + request.directory + ": it must be an absolute path");
  Plan plan{request, template_of(request), {}, {}};
  const HostPlaces places = HostPlaces::find(store_.home().root());
  const SharedDirectories shared = shared_directories();
  const MountRules rules{request.allow_home, places, shared};
  TRY_ASSIGN(plan.request.workspaces, checked_workspaces(request.workspaces, rules));
  TRY_ASSIGN(plan.request.mounts, checked_mounts(request.mounts, rules));
  TRY(check_targets_differ(plan.request.workspaces, plan.request.mounts));
  TRY(check_nested(all_mounts(plan.request.workspaces, plan.request.mounts)));
  TRY_ASSIGN(plan.request.ports, checked_ports(request.ports));
  TRY_ASSIGN(plan.request.hosts, checked_hosts(request.hosts));
  TRY_ASSIGN(plan.config, parts_.config());
  TRY_ASSIGN(plan.rules, parts_.rules());
  return plan;
}

SharedDirectories Sandboxes::shared_directories() const {
  SharedDirectories shared;
  for (const auto& sandbox : registry_.all()) {
    const store::Record record = sandbox->record();
    for (const wire::Mount& mount : all_mounts(record.workspaces, record.mounts))
      if (!mount.readonly) shared.add(mount.source, record.name);
  }
  return shared;
}

Result<Sandboxes::Backend> Sandboxes::backend_for(const Plan& plan) {
  const bool by_file = plan.request.backend.empty() && !plan.config.backend.empty();
  auto backend = backends_.available(by_file ? plan.config.backend : plan.request.backend, settings_from(plan.config));
  if (!backend && by_file) return fail(std::move(backend).error().within("\"backend\" in " + plan.config.path));
  TRY(backend);
  TRY(config::check_isolation(plan.config, (*backend)->isolation()));
  return backend;
}

Result<wire::SandboxInfo> Sandboxes::create(const wire::CreateRequest& request, const images::Progress& progress,
                                            const wire::RequestKey& key) {
  const store::Origin origin{key.text(), images::sha256_of(dump(wire::encode(request)))};
  TRY_ASSIGN(const Plan plan, plan_for(request));
  for (;;) {
    TRY_ASSIGN(Claim claim, registry_.claim(plan.request, origin));
    Sandbox& sandbox = *claim.sandbox;
    if (claim.operation) {
      auto note = build(sandbox, plan, progress);
      if (!note) return fail(std::move(note).error().within("create " + sandbox.name()));
      wire::SandboxInfo info = info_of(sandbox);
      info.note = std::move(*note);
      return info;
    }
    // Somebody may still be making it; if that fails, it is our turn.
    const std::scoped_lock wait(sandbox.operation());
    if (std::holds_alternative<Gone>(sandbox.state())) continue;
    TRY(sandbox.usable());
    wire::SandboxInfo info = info_of(sandbox);
    info.created = claim.is_repeat;
    return info;
  }
}

Result<std::string> Sandboxes::build(Sandbox& sandbox, const Plan& plan, const images::Progress& progress) {
  Undo undo;
  undo.add([this, &sandbox] { registry_.erase(sandbox); });
  TRY_ASSIGN(const Backend backend, backend_for(plan));
  store::Record record = record_from(plan.request, sandbox.record(), parts_.clock());
  TRY_ASSIGN(const backends::Grant grant, grant_for(plan.request, *backend, store_.home().root()));
  record.limits = grant.limits;
  const auto mounts = all_mounts(plan.request.workspaces, plan.request.mounts);
  TRY_ASSIGN(const backends::AgentIds agent, backend->agent_for(mounts));
  record.agent_uid = agent.uid;
  record.agent_gid = agent.gid;
  record.backend = backend->name();
  record.isolation = backend->isolation();
  record.base.name = plan.template_name;
  sandbox.set_record(record);

  TRY(store_.reserve(record.name));
  undo.add([this, &sandbox] {
    if (auto destroyed = destroy(sandbox.record()); !destroyed)
      log_error("undo a create: {}", destroyed.error().what());
  });
  TRY(fault_step("create.reserved"));
  TRY(store_.sketch(record));
  TRY(fault_step("create.recorded"));
  TRY_ASSIGN(const images::Template base, parts_.templates(plan.template_name, plan.request.pull, progress));
  record.base = {base.name, base.digest, base.root};
  TRY(fault_step("create.template"));
  TRY(backend->prepare(machine_spec(record, settings_from(plan.config)),
                       progress ? progress : images::Progress([](auto&&...) {})));
  TRY(fault_step("create.prepared"));
  TRY(make_authority(record.name));
  TRY(write_policy_file(policy_path_of(record.name), plan.rules));
  record.phase = store::Phase::kReady;
  TRY(store_.save(record));
  TRY(fault_step("create.ready"));

  undo.keep();
  sandbox.set_record(record);
  sandbox.set_state(Stopped{});
  events_.publish("create", record.name);
  return notes_of({isolation_note(record.isolation, plan.backend_chosen(), backends::kvm_check()), grant.note,
                   socket_note(backend->sockets_in(mounts))});
}

Result<> Sandboxes::make_authority(const std::string& name) {
  const std::string directory = directory_of(name) + "/proxy_cacerts";
  TRY(make_directories(directory));
  TRY_ASSIGN(const ca::Authority authority, ca::make_authority(name));
  TRY(replace_file(directory + "/proxy-ca.key", authority.key, 0600));
  return replace_file(directory + "/proxy-ca.crt", authority.certificate, 0644);
}

}  // namespace sbx::sandboxes
