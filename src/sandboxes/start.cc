// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/fault.h"
#include "base/file.h"
#include "base/log.h"
#include "sandboxes/mounts.h"
#include "sandboxes/sandboxes.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::seconds kStartLimit{60};

wire::GuestConfig guest_config(const store::Record& record, const backends::Backend& backend) {
  wire::GuestConfig config;
  config.id = record.id;
  config.name = record.name;
  config.hostname = record.hostname;
  config.workspace = record.workspaces.empty() ? std::string() : record.workspaces.front().target;
  config.environment = record.environment;
  if (!backend.enforces_limits()) config.max_processes = record.limits.pids;
  return config;
}

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
  const store::Record record = sandbox.record();
  const std::string doing = "start " + record.name;
  TRY_WITHIN(doing, check_present(record.workspaces));
  TRY_WITHIN(doing, check_present(record.mounts));
  TRY_WITHIN(doing, check_template(record));
  TRY_ASSIGN(const Backend backend, backends_.available(record.backend));
  TRY_WITHIN(doing, clean_up(record.name, machine_spec(record)));
  auto started = run_machine(sandbox, record, *backend);
  if (started) return started;
  if (auto cleaned = clean_up(record.name, machine_spec(record)); !cleaned)
    log_error("clean up after {}: {}", record.name, cleaned.error().what());
  return fail(std::move(started).error().within(doing));
}

// machine.json is there before the first process is, so that whatever this leaves behind can be found.
Result<> Sandboxes::run_machine(Sandbox& sandbox, const store::Record& record, const backends::Backend& backend) {
  const SteadyTime begin = steady_now();
  const backends::MachineSpec spec = machine_spec(record);
  TRY(replace_file(directory_of(record.name) + "/machine.json", dump(encode(spec)) + "\n"));
  TRY(fault_step("start.prepared"));
  TRY_ASSIGN(Launched launched, launch({parts_.shim_program, spec, guest_config(record, backend)}, kStartLimit));
  if (launched.status.isolation.empty()) launched.status.isolation = backend.isolation();
  launched.status.timings["total"] =
      std::chrono::duration_cast<std::chrono::microseconds>(steady_now() - begin).count();
  TRY(fault_step("start.ready"));
  store_.note(record.name, {true, "", launched.status.timings});
  TRY(adopt(sandbox, std::move(launched)));
  events_.publish("start", record.name);
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
  sandbox.set_state(Running{launched.shim, std::move(launched.status)});
  watcher_->add(sandbox.name(), std::move(launched.shim), std::move(*events));
  return Ok{};
}

backends::MachineSpec Sandboxes::machine_spec(const store::Record& record) const {
  backends::MachineSpec spec;
  spec.id = record.id;
  spec.name = record.name;
  spec.hostname = record.hostname;
  spec.backend = record.backend;
  spec.state_directory = directory_of(record.name);
  spec.template_root = record.base.root;
  spec.init_program = parts_.init_program;
  spec.mounts = record.workspaces;
  spec.mounts.insert(spec.mounts.end(), record.mounts.begin(), record.mounts.end());
  spec.limits = record.limits;
  spec.id_base = record.id_base;
  return spec;
}

}  // namespace sbx::sandboxes
