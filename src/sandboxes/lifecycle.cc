// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/lifecycle.h"

#include "agents/guidance.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/log.h"
#include "base/start_limit.h"
#include "base/value.h"
#include "sandboxes/git_identity.h"
#include "sandboxes/guest_mcp.h"
#include "sandboxes/launch.h"
#include "sandboxes/mounts.h"
#include "sandboxes/settings.h"
#include "sandboxes/successions.h"

namespace sbx::sandboxes {

// A start that nothing stands in the way of.
struct Lifecycle::Start {
  store::Record record;
  config::Config config;
  std::shared_ptr<const backends::Backend> backend;
  backends::MachineSpec spec;
  wire::NetworkConfig network;
};

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kShimsOwn{30};  // besides what the guest takes
constexpr milliseconds kBeyondGrace = seconds(3);

Result<> check_template(const store::Record& record, const backends::MachineSpec& spec) {
  for (const std::string& layer : spec.template_layers)
    if (!exists(layer))
      return fail(Code::kConflict, "template " + record.base.name + ": its layer " + layer + " is gone",
                  "put it back where it was: the sandbox's own files are still there");
  return Ok{};
}

wire::GuestConfig guest_config(const store::Record& record, const backends::MachineSpec& spec,
                               const backends::Backend& backend, WallTime now) {
  wire::GuestConfig config;
  config.id = record.id;
  config.name = record.name;
  config.hostname = record.hostname;
  config.workspace = record.workspaces.empty() ? std::string() : record.workspaces.front().target;
  config.environment = record.base.environment;
  config.environment.insert(config.environment.end(), record.environment.begin(), record.environment.end());
  config.mounts = backend.guest_mounts(spec);
  if (spec.features.docker) config.docker = wire::GuestDocker{.at_once = record.docker == wire::DockerMode::kOn};
  config.ssh_agent = !record.ssh_agent.empty();
  config.git = git_identity();
  const backends::Traits traits = backend.traits();
  if (traits.own_kernel) config.clock_us = microseconds_of(now);
  if (traits.own_kernel) config.max_tmp = record.limits.tmp;
  if (traits.guest_limits_processes()) config.max_processes = record.limits.pids;
  return config;
}

// Only what Docker fetches: a sandbox without it has no use for a process more.
wire::BlobCache blob_cache_for(const store::Record& record, const config::Config& config, const Home& home) {
  if (!wire::has_docker(record.docker) || record.no_docker_cache || config.docker_cache == 0) return {};
  return {home.blobs(), config.docker_cache};
}

// An agent that is not known, or has no place for it, gets none.
wire::GuestFile guidance_for(const store::Record& record, const Parts& parts) {
  const auto agents = parts.agents();
  const agents::Agent* const agent = agents ? agents->find(record.agent) : nullptr;
  if (record.no_guidance || agent == nullptr || agent->guidance.empty()) return {};
  return {agent->guidance, std::string(agents::guidance())};
}

Result<> end_shim(const Sandbox& sandbox, const ShimProcess& shim, milliseconds grace) {
  const auto asked = sandbox.directory().shim().ask_to_stop(grace);
  TRY(fault_step("stop.asked"));
  if (asked && shim.wait_for_end(grace + kBeyondGrace)) return Ok{};
  log_warning("the shim of {} did not end in time and is killed", sandbox.name());
  if (shim.kill_and_wait()) return Ok{};
  return fail(Code::kTimeout, "shim " + std::to_string(shim.pid) + " cannot be killed");
}

}  // namespace

Result<wire::SandboxInfo> Lifecycle::start(const std::string& name) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  TRY(start_held(*sandbox));
  return sandbox->info();
}

Result<> Lifecycle::ensure_running(Sandbox& sandbox) {
  sandbox.set_used(rfc3339(parts_.clock()));
  if (sandbox.running()) return Ok{};
  const std::scoped_lock held(sandbox.operation());
  return start_held(sandbox);
}

Result<> Lifecycle::start_held(Sandbox& sandbox) {
  TRY(sandbox.usable());
  sandbox.set_used(rfc3339(parts_.clock()));
  if (const auto running = sandbox.running()) {
    parts_.store.note(sandbox.name(), {true, "", running->status.timings, sandbox.used_at()});
    return Ok{};
  }
  const std::string doing = "start " + sandbox.name();
  TRY_WITHIN(doing, take_successor_held(sandbox, parts_.store));
  const auto start = checked_start(sandbox);
  if (!start) return fail(Error(start.error()).within(doing));
  TRY_WITHIN(doing, machines_.clean_up_held(sandbox));
  TRY_WITHIN(doing, start->backend->prepare(start->spec, [](auto&&...) {}));
  TRY(fault_step("start.parts"));
  auto started = run_machine(sandbox, *start);
  if (started) return started;
  if (auto cleaned = machines_.clean_up_held(sandbox); !cleaned)
    log_error("clean up after {}: {}", sandbox.name(), cleaned.error().what());
  return fail(std::move(started).error().within(doing));
}

Result<Lifecycle::Start> Lifecycle::checked_start(const Sandbox& sandbox) {
  store::Record record = sandbox.record();
  TRY(check_present(record.workspaces));
  TRY(check_present(record.mounts));
  const HostPlaces places = HostPlaces::find(parts_.store.home().root());
  TRY(check_still_allowed(all_mounts(record.workspaces, record.mounts), record.allow_home, places));
  TRY_ASSIGN(config::Config config, parts_.config());
  TRY_ASSIGN(auto backend, backends_.available(record.backend, settings_from(config)));
  TRY(config::check_isolation(config, backend->isolation()));
  TRY_ASSIGN(wire::NetworkConfig network, networks_.config_of(sandbox));
  network.blob_cache = blob_cache_for(record, config, parts_.store.home());
  backends::MachineSpec spec = machines_.spec_of(record, settings_from(config));
  TRY(check_template(record, spec));
  return Start{std::move(record), std::move(config), std::move(backend), std::move(spec), std::move(network)};
}

// machine.json is there before the first process is, so that whatever this leaves behind can be found.
Result<> Lifecycle::run_machine(Sandbox& sandbox, const Start& start) {
  const SteadyTime begin = steady_now();
  TRY(replace_file(sandbox.directory().machine_file(), text_of(start.spec) + "\n"));
  TRY(fault_step("start.prepared"));
  auto guest = guest_config(start.record, start.spec, *start.backend, parts_.clock());
  guest.guidance = guidance_for(start.record, parts_);
  if (!start.record.mcp.empty() || !start.record.mcp_revoked.empty()) guest.mcp = guest_mcp(start.record);
  TRY_ASSIGN(Launched launched,
             launch(parts_.shim_program, {start.spec, guest, start.network}, start_limit() + kShimsOwn));
  if (launched.status.isolation == wire::Isolation::kUnknown) launched.status.isolation = start.backend->isolation();
  // Once more, because only now is it known what the machine has really become.
  TRY(config::check_isolation(start.config, launched.status.isolation));
  note_time_since(begin, "total", launched.status.timings);
  TRY(fault_step("start.ready"));
  // A boot may take longer than a sandbox may be idle (expiry.h): what it was started for has yet to come.
  sandbox.set_used(rfc3339(parts_.clock()));
  parts_.store.note(sandbox.name(), {true, "", launched.status.timings, sandbox.used_at()});
  TRY(runs_.adopt_held(sandbox, std::move(launched)));
  credentials_.renew_held(sandbox, Credentials::Occasion::kStarted);
  events_.publish(wire::EventKind::kStart, sandbox.name());
  return Ok{};
}

Result<wire::SandboxInfo> Lifecycle::stop(const std::string& name, milliseconds grace) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const auto held = sandbox->operation_to_end();
  TRY(sandbox->usable());
  TRY_WITHIN("stop " + name, stop_held(*sandbox, grace));
  return sandbox->info();
}

Result<> Lifecycle::stop_held(Sandbox& sandbox, milliseconds grace) {
  if (const auto running = sandbox.running()) {
    sandbox.expect_stop();
    TRY(end_shim(sandbox, *running->shim, grace));
    runs_.end(sandbox.name(), running->shim);
  }
  TRY(fault_step("stop.ended"));
  return machines_.clean_up_held(sandbox);
}

}  // namespace sbx::sandboxes
