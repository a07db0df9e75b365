// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/creation.h"

#include <algorithm>

#include "agents/agents.h"
#include "backends/kvm.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/format.h"
#include "base/log.h"
#include "base/text.h"
#include "base/uuid.h"
#include "base/value.h"
#include "ca/authority.h"
#include "digest/sha256.h"
#include "sandboxes/flavor_note.h"
#include "sandboxes/isolation_note.h"
#include "sandboxes/mounts.h"
#include "sandboxes/policy_file.h"
#include "sandboxes/settings.h"
#include "sandboxes/socket_note.h"
#include "sandboxes/undo.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::seconds kUndoLimit{30};
constexpr std::size_t kLongestHostname = 63;
// Far above what builds need, far below what brings a host down.
constexpr std::int64_t kDefaultProcesses = 8192;

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
  static_cast<wire::Settings&>(record) = request;
  record.hostname = hostname_from(record.name);
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

Result<> write_authority(const StateDirectory& directory, const std::string& name) {
  TRY(make_directories(directory.authority()));
  TRY_ASSIGN(const ca::Authority authority, ca::make_authority(name));
  TRY(replace_file(directory.authority() + "/proxy-ca.key", authority.key, 0600));
  return replace_file(directory.certificate_file(), authority.certificate, 0644);
}

// Which one it is, where several could have been meant.
std::string choice_note(const Claim& claim) {
  if (claim.others.empty()) return {};
  const store::Record record = claim.sandbox->record();
  return sbx::format("{} sandboxes are for {} in {}: this is {}; there is also {} (sandbox run NAME).",
                     claim.others.size() + 1, record.agent, record.workspaces.front().source, record.name,
                     join(claim.others, ", "));
}

}  // namespace

Result<std::shared_ptr<const backends::Backend>> Creation::backend_for(const Plan& plan) {
  const bool by_file = plan.request.backend.empty() && !plan.config.backend.empty();
  auto backend = backends_.available(by_file ? plan.config.backend : plan.request.backend, settings_from(plan.config));
  if (!backend && by_file) return fail(std::move(backend).error().within("\"backend\" in " + plan.config.path));
  TRY(backend);
  TRY(config::check_isolation(plan.config, (*backend)->isolation()));
  return backend;
}

Result<wire::SandboxInfo> Creation::create(const wire::CreateRequest& request, const images::Progress& progress,
                                           const wire::RequestKey& key) {
  const store::Origin origin{key.text(), digest::sha256_of(text_of(request))};
  TRY_ASSIGN(const auto checked, checked_request(request, parts_, registry_));
  for (;;) {
    TRY_ASSIGN(Claim claim, registry_.claim(checked, origin));
    Sandbox& sandbox = *claim.sandbox;
    const bool is_new = claim.operation.owns_lock();
    // Another request may still be making it; if that fails, it is our turn.
    if (!is_new) claim.operation = std::unique_lock(sandbox.operation());
    if (std::holds_alternative<Gone>(sandbox.state())) continue;
    std::string note;
    if (is_new) {
      PendingCreates::Create pending(pending_, key.text());
      TRY_ASSIGN(note, make_held(sandbox, checked, progress, pending));
    } else {
      TRY_ASSIGN(note, reuse_held(claim, checked));
    }
    if (request.start) TRY(lifecycle_.start_held(sandbox));
    wire::SandboxInfo info = sandbox.info();
    info.created = is_new || claim.is_repeat;
    info.note = std::move(note);
    return info;
  }
}

// What its record says to the next daemon is that it is half made.
Result<> Creation::create_temporary(const wire::CreateRequest& request) {
  const store::Origin origin{wire::RequestKey::random().text(), digest::sha256_of(text_of(request))};
  TRY_ASSIGN(const auto checked, checked_request(request, parts_, registry_));
  TRY_ASSIGN(const Claim claim, registry_.claim(checked, origin));
  PendingCreates::Create pending(pending_, origin.key);
  TRY(make_held(*claim.sandbox, checked, {}, pending, store::Phase::kCreating));
  return Ok{};
}

Result<> Creation::cancel(const wire::RequestKey& key) { return pending_.cancel(key.text(), kUndoLimit); }

Result<std::string> Creation::reuse_held(const Claim& claim, const wire::CreateRequest& request) {
  TRY(claim.sandbox->usable());
  if (!claim.is_repeat) TRY(adaptation_.adapt_held(*claim.sandbox, request));
  return choice_note(claim);
}

// Of this home, and so of this user on this machine: it was read the first time.
std::string Creation::isolation_note_once(const Plan& plan, wire::Isolation isolation) const {
  const std::string note = isolation_note(isolation, plan.backend_chosen(), backends::kvm_check());
  if (note.empty()) return note;
  const std::string noted = sbx::format("{}/{}.noted", parts_.store.home().root(), word_of(isolation));
  return create_file(noted, "", 0600) ? note : "";
}

Result<std::string> Creation::make_held(Sandbox& sandbox, const wire::CreateRequest& request,
                                        const images::Progress& progress, PendingCreates::Create& pending,
                                        store::Phase phase) {
  Undo undo;
  undo.add([this, &sandbox] { registry_.erase(sandbox); });
  const std::string doing = "create " + sandbox.name();
  TRY_ASSIGN(const agents::Catalogue agents, parts_.agents());
  if (agents.find(sandbox.name()) != nullptr)
    return fail(
        Code::kInvalid,
        sbx::format("{}: that is the name of an agent, and `sandbox run {}` could mean either", doing, sandbox.name()),
        "--name my-" + sandbox.name());
  auto [whole, git_note] = with_repositories(request, parts_, registry_);
  auto plan = plan_for(std::move(whole), parts_);
  if (!plan) return fail(std::move(plan).error().within(doing));
  plan->note = std::move(git_note);
  auto note = build_held(sandbox, *plan, progress, pending, phase);
  if (!note) return fail(std::move(note).error().within(doing));
  undo.keep();
  return note;
}

Result<std::string> Creation::build_held(Sandbox& sandbox, const Plan& plan, const images::Progress& progress,
                                         PendingCreates::Create& pending, store::Phase phase) {
  Undo undo;
  TRY_ASSIGN(const auto backend, backend_for(plan));
  store::Record record = record_from(plan.request, sandbox.record(), parts_.clock());
  TRY_ASSIGN(const backends::Grant grant, grant_for(plan.request, *backend, parts_.store.home().root()));
  record.limits = grant.limits;
  const auto mounts = all_mounts(plan.request.workspaces, plan.request.mounts);
  TRY_ASSIGN(const backends::AgentIds agent, backend->agent_for(mounts));
  record.agent_uid = agent.uid;
  record.agent_gid = agent.gid;
  record.backend = backend->name();
  record.isolation = backend->isolation();
  record.base.name = plan.template_name;
  record.agent_command = plan.agent_command;
  sandbox.set_record(record);

  TRY(parts_.store.reserve(record.name));
  undo.add([this, &sandbox] {
    if (auto destroyed = removal_.destroy(sandbox.record()); !destroyed)
      log_error("undo a create: {}", destroyed.error().what());
  });
  TRY(fault_step("create.reserved"));
  TRY(parts_.store.sketch(record));
  TRY(fault_step("create.recorded"));
  TRY_ASSIGN(std::string architecture, images::architecture_of(plan.request.platform));
  const images::TemplateRequest wanted{plan.template_name, plan.request.pull, std::move(architecture),
                                       plan.request.from};
  const auto make = [this, wanted](const images::Progress& all) { return parts_.templates(wanted, all); };
  TRY_ASSIGN(const images::Template base, pending.await_template(make, progress));
  record.base = {base.name, base.digest, base.layers, images::environment_of(base.config)};
  TRY(fault_step("create.template"));
  TRY(backend->prepare(machines_.spec_of(record, settings_from(plan.config)),
                       progress ? progress : images::Progress([](auto&&...) {})));
  TRY(fault_step("create.prepared"));
  TRY(pending.check());
  TRY(write_authority(sandbox.directory(), record.name));
  TRY(write_policy_file(sandbox.directory().policy_file(), plan.rules));
  record.phase = phase;
  TRY(parts_.store.save(record));
  TRY(fault_step("create.ready"));

  undo.keep();
  sandbox.set_record(record);
  sandbox.set_state(Stopped{});
  docker_sockets_.follow(sandbox);
  events_.publish(wire::EventKind::kCreate, record.name);
  return notes_of({isolation_note_once(plan, record.isolation), plan.note, grant.note,
                   socket_note(backend->sockets_in(mounts)), base.note,
                   flavor_note(base, record.agent, parts_.agents().value_or(agents::Catalogue()))});
}

}  // namespace sbx::sandboxes
