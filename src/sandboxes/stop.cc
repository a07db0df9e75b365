// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/fault.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "sandboxes/sandboxes.h"
#include "sandboxes/shim_lock.h"

namespace sbx::sandboxes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kBeyondGrace = seconds(3);
constexpr milliseconds kAfterKill = seconds(10);
constexpr std::size_t kLongestReason = 4096;

// A shim that could still speak has told more (told_reason).
std::string reason_of(std::optional<Exit> exit) {
  if (!exit) return "the machine ended unexpectedly";
  if (exit->signal != 0) return "the shim was killed (signal " + std::to_string(exit->signal) + ")";
  if (exit->code != 0) return "the machine ended by itself (status " + std::to_string(exit->code) + ")";
  return "the machine ended by itself";
}

// Told by a shim, which has read it from a guest: it is shown, and means nothing.
std::string told_reason(const wire::Event& event) {
  const Json* reason = event.detail.is_object() && event.detail.contains("reason") ? &event.detail["reason"] : nullptr;
  if (reason == nullptr || !reason->is_string()) return {};
  return printable(std::string_view(reason->get_ref<const std::string&>()).substr(0, kLongestReason));
}

}  // namespace

Result<wire::SandboxInfo> Sandboxes::stop(const std::string& name, milliseconds grace) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  const std::scoped_lock held(sandbox->operation());
  TRY(sandbox->usable());
  TRY_WITHIN("stop " + name, stop_held(*sandbox, grace));
  return info_of(*sandbox);
}

Result<> Sandboxes::stop_held(Sandbox& sandbox, milliseconds grace) {
  if (const auto running = sandbox.running()) {
    sandbox.expect_stop();
    TRY(end_shim(sandbox, *running, grace));
    shim_ended(sandbox.name(), running->shim, std::nullopt);
  }
  TRY(fault_step("stop.ended"));
  return clean_up(sandbox.name(), machine_spec(sandbox.record()));
}

Result<> Sandboxes::end_shim(const Sandbox& sandbox, const Running& running, milliseconds grace) {
  const auto asked = socket_of(sandbox.name()).ask_to_stop(grace);
  TRY(fault_step("stop.asked"));
  if (asked && running.shim->wait_for_end(grace + kBeyondGrace)) return Ok{};
  log_warning("the shim of {} did not end in time and is killed", sandbox.name());
  running.shim->kill();
  if (running.shim->wait_for_end(kAfterKill)) return Ok{};
  return fail(Code::kTimeout, "shim " + std::to_string(running.shim->pid) + " cannot be killed");
}

void Sandboxes::shim_told(const std::string& name, const std::shared_ptr<const Shim>& shim, const wire::Event& event) {
  if (event.kind != "ending") return events_.publish(event);
  if (const auto sandbox = registry_.find(name)) (*sandbox)->expect_end(shim, told_reason(event));
}

// By the watcher, and by whoever has seen the end first; only the first call counts.
void Sandboxes::shim_ended(const std::string& name, const std::shared_ptr<const Shim>& shim, std::optional<Exit> exit) {
  const auto sandbox = registry_.find(name);
  if (!sandbox) return;
  if (!exit) exit = shim->reap();
  const auto stopped = (*sandbox)->end_run(shim, reason_of(exit));
  if (!stopped) return;
  store_.note(name, {false, stopped->reason, stopped->timings});
  if (stopped->reason.empty()) return events_.publish("stop", name);
  events_.publish("die", name, {{"reason", stopped->reason}});
  worker_.post([this, sandbox = *sandbox] {
    const std::scoped_lock held(sandbox->operation());
    if (!std::holds_alternative<Stopped>(sandbox->state())) return;
    if (auto cleaned = clean_up(sandbox->name(), machine_spec(sandbox->record())); !cleaned)
      log_error("clean up after {}: {}", sandbox->name(), cleaned.error().what());
  });
}

Result<backends::MachineSpec> Sandboxes::last_machine(const std::string& name) const {
  TRY_ASSIGN(const std::string text, read_file(machine_path_of(name)));
  TRY_ASSIGN(const Json json, parse_json(text));
  TRY_ASSIGN(backends::MachineSpec spec, backends::decode_machine_spec(json));
  if (spec.state_directory != directory_of(name) || spec.name != name || !has_backend(spec.backend))
    return fail(Code::kInvalid, machine_path_of(name) + " is about another machine");
  return spec;
}

bool Sandboxes::has_backend(const std::string& name) const {
  return std::ranges::find(parts_.backend_names, name) != parts_.backend_names.end();
}

bool Sandboxes::is_anothers(const std::string& id, const std::string& name) const {
  const auto names = store_.names();
  return !names || std::ranges::any_of(*names, [&](const std::string& other) {
    if (other == name) return false;
    const auto record = store_.load(other);
    const auto machine = last_machine(other);
    return (record && record->id == id) || (machine && machine->id == id);
  });
}

// SECURITY: what is cleaned up is this sandbox's, whatever the file says: its id is the record's or, where there is no
// record to tell, one that belongs to no other sandbox. A garbled file is replaced by what the record says.
backends::MachineSpec Sandboxes::leftover_machine(const std::string& name,
                                                  const backends::MachineSpec& otherwise) const {
  auto spec = last_machine(name);
  if (!spec) return otherwise;
  if (!otherwise.id.empty()) return spec->id == otherwise.id ? std::move(*spec) : otherwise;
  if (is_anothers(spec->id, name)) spec->id.clear();
  return std::move(*spec);
}

// Does nothing if no machine has been started since the last time: machine.json goes when all else has gone.
Result<> Sandboxes::clean_up(const std::string& name, const backends::MachineSpec& otherwise) {
  const std::string directory = directory_of(name);
  if (!exists(machine_path_of(name))) return Ok{};
  TRY_ASSIGN(const auto stray, living_shim(directory));
  if (stray) {
    stray->kill();
    if (!stray->wait_for_end(kAfterKill)) return fail(Code::kTimeout, "a shim in " + directory + " cannot be killed");
    (void)stray->reap();
  }
  const backends::MachineSpec spec = leftover_machine(name, otherwise);
  TRY_ASSIGN(const Backend backend, backends_.any(spec.backend));
  TRY_WITHIN("clean up " + name, backend->clean_up(spec));
  TRY(remove_file(directory + "/shim.sock"));
  TRY(remove_file(directory + "/network.sock"));
  return remove_file(machine_path_of(name));
}

}  // namespace sbx::sandboxes
