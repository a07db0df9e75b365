// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/fault.h"
#include "base/file.h"
#include "base/log.h"
#include "base/start_limit.h"
#include "sandboxes/mounts.h"
#include "sandboxes/sandboxes.h"
#include "sandboxes/settings.h"

namespace sbx::sandboxes {

// A start that nothing stands in the way of.
struct Sandboxes::Start {
  store::Record record;
  config::Config config;
  Backend backend;
  backends::MachineSpec spec;
  wire::NetworkConfig network;
};

namespace {

constexpr std::chrono::seconds kShimsOwn{30};  // besides what the guest takes

Result<> check_template(const store::Record& record) {
  if (exists(record.base.root)) return Ok{};
  return fail(Code::kConflict, "template " + record.base.name + ": " + record.base.root + " is gone",
              "sandbox rm " + record.name);
}

}  // namespace

Result<wire::SandboxInfo> Sandboxes::start(const std::string& name) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  TRY(start_held(*sandbox));
  return info_of(*sandbox);
}

Result<> Sandboxes::start_held(Sandbox& sandbox) {
  TRY(sandbox.usable());
  if (sandbox.running()) return Ok{};
  const std::string doing = "start " + sandbox.name();
  const auto start = checked_start(sandbox.record());
  if (!start) return fail(Error(start.error()).within(doing));
  TRY_WITHIN(doing, clean_up(sandbox.name(), start->spec));
  TRY_WITHIN(doing, start->backend->prepare(start->spec, [](auto&&...) {}));
  TRY(fault_step("start.parts"));
  auto started = run_machine(sandbox, *start);
  if (started) return started;
  if (auto cleaned = clean_up(sandbox.name(), start->spec); !cleaned)
    log_error("clean up after {}: {}", sandbox.name(), cleaned.error().what());
  return fail(std::move(started).error().within(doing));
}

Result<Sandboxes::Start> Sandboxes::checked_start(const store::Record& record) {
  TRY(check_present(record.workspaces));
  TRY(check_present(record.mounts));
  const HostPlaces places = HostPlaces::find(store_.home().root());
  TRY(check_still_allowed(all_mounts(record.workspaces, record.mounts), record.allow_home, places));
  TRY(check_template(record));
  TRY_ASSIGN(config::Config config, parts_.config());
  TRY_ASSIGN(Backend backend, backends_.available(record.backend, settings_from(config)));
  TRY(config::check_isolation(config, backend->isolation()));
  TRY_ASSIGN(wire::NetworkConfig network, network_config(record));
  backends::MachineSpec spec = machine_spec(record, settings_from(config));
  return Start{record, std::move(config), std::move(backend), std::move(spec), std::move(network)};
}

// machine.json is there before the first process is, so that whatever this leaves behind can be found.
Result<> Sandboxes::run_machine(Sandbox& sandbox, const Start& start) {
  const SteadyTime begin = steady_now();
  TRY(replace_file(machine_path_of(sandbox.name()), dump(encode(start.spec)) + "\n"));
  TRY(fault_step("start.prepared"));
  TRY_ASSIGN(Launched launched,
             launch({parts_.shim_program, start.spec, guest_config(start), start.network}, start_limit() + kShimsOwn));
  if (launched.status.isolation.empty()) launched.status.isolation = start.backend->isolation();
  // Once more, because only now is it known what the machine has really become.
  TRY(config::check_isolation(start.config, launched.status.isolation));
  launched.status.timings["total"] =
      std::chrono::duration_cast<std::chrono::microseconds>(steady_now() - begin).count();
  TRY(fault_step("start.ready"));
  store_.note(sandbox.name(), {true, "", launched.status.timings});
  TRY(adopt(sandbox, std::move(launched)));
  events_.publish("start", sandbox.name());
  return Ok{};
}

Result<> Sandboxes::adopt(Sandbox& sandbox, Launched launched) {
  auto events = socket_of(sandbox.name()).watch();
  if (!events) {
    launched.shim->kill();
    launched.shim->wait_for_end(std::chrono::seconds(5));
    (void)launched.shim->reap();
    return fail(std::move(events).error());
  }
  sandbox.set_state(Running{launched.shim, std::move(launched.status), false, {}, bound_ports(sandbox.record())});
  watcher_->add(sandbox.name(), std::move(launched.shim), std::move(*events));
  return Ok{};
}

wire::GuestConfig Sandboxes::guest_config(const Start& start) const {
  const store::Record& record = start.record;
  wire::GuestConfig config;
  config.id = record.id;
  config.name = record.name;
  config.hostname = record.hostname;
  config.workspace = record.workspaces.empty() ? std::string() : record.workspaces.front().target;
  config.environment = record.environment;
  config.mounts = start.backend->guest_mounts(start.spec);
  if (!start.backend->shares_clock()) config.clock_us = microseconds_of(parts_.clock());
  if (start.backend->guest_limits_processes()) config.max_processes = record.limits.pids;
  return config;
}

backends::MachineSpec Sandboxes::machine_spec(const store::Record& record, const backends::Settings& settings) const {
  backends::MachineSpec spec;
  spec.id = record.id;
  spec.name = record.name;
  spec.hostname = record.hostname;
  spec.backend = record.backend;
  spec.state_directory = directory_of(record.name);
  spec.template_root = record.base.root;
  spec.cache_directory = store_.home().cache();
  spec.init_program = parts_.init_program;
  spec.mounts = all_mounts(record.workspaces, record.mounts);
  spec.hidden = {HostPlaces::find(store_.home().root()).state};
  spec.limits = record.limits;
  spec.settings = settings;
  spec.id_base = record.id_base;
  spec.agent = {record.agent_uid, record.agent_gid};
  return spec;
}

}  // namespace sbx::sandboxes
