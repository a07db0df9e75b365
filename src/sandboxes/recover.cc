// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "sandboxes/sandboxes.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::seconds kStatusLimit{10};

// Where there is no record, or one that says nothing: enough of one to find and remove what is in the directory.
store::Record bare_record(const std::string& name) {
  store::Record record;
  record.name = name;
  return record;
}

}  // namespace

Result<> Sandboxes::recover() {
  TRY_ASSIGN(const auto names, store_.names());
  for (const auto& name : names) recover_one(name);
  return Ok{};
}

// Whatever goes wrong with one stays with that one.
void Sandboxes::recover_one(const std::string& name) {
  auto record = store_.load(name);
  if (record && record->phase == store::Phase::kReady) return recover_ready(std::move(*record));
  const bool garbled = !record && record.error().code() != Code::kNotFound;
  auto sandbox = std::make_shared<Sandbox>(record ? *record : bare_record(name), Removing{});
  registry_.add(sandbox);
  if (garbled) {
    log_error("sandbox {}: {}", name, record.error().what());
    return sandbox->set_state(Failed{record.error().what()});
  }
  log_info("sandbox {} was left half {}", name,
           record && record->phase == store::Phase::kRemoving ? "removed" : "created");
  if (auto removed = remove(name); !removed) log_error("{}", removed.error().what());
}

void Sandboxes::recover_ready(store::Record record) {
  const std::string name = record.name;
  const store::LastRun last = store_.last_run(name);
  auto sandbox = std::make_shared<Sandbox>(std::move(record), Stopped{last.ended, last.timings});
  registry_.add(sandbox);
  const std::scoped_lock held(sandbox->operation());
  if (auto found = find_shim(name)) {
    log_info("sandbox {} runs (shim {})", name, found->shim->pid);
    if (adopt(*sandbox, std::move(*found))) return renew_policy(name);
  }
  if (last.running) {
    const std::string reason = "the machine ended while no daemon was there";
    sandbox->set_state(Stopped{reason, last.timings});
    store_.note(name, {false, reason, last.timings});
  }
  if (auto cleaned = clean_up(name, machine_spec(sandbox->record())); !cleaned)
    log_error("clean up after {}: {}", name, cleaned.error().what());
}

// The last daemon may have died after it had written a new policy, and before it told the machine.
void Sandboxes::renew_policy(const std::string& name) {
  const auto rules = policy_of(name);
  const auto told = rules ? gate_of(name).set_policy(*rules) : fail(rules.error());
  if (!told) log_error("the network policy of {} is not renewed: {}", name, told.error().what());
}

// The shim that serves the socket. One that lives but does not serve was still starting when its daemon died: nobody
// waits for that start any more, and clean_up ends it.
std::optional<Launched> Sandboxes::find_shim(const std::string& name) {
  auto status = socket_of(name).status(kStatusLimit);
  if (!status) return std::nullopt;
  auto pidfd = open_pidfd(status->shim_pid);
  if (!pidfd) return std::nullopt;
  const pid_t pid = status->shim_pid;
  return Launched{std::make_shared<const Shim>(Shim{pid, std::move(*pidfd)}), std::move(*status)};
}

}  // namespace sbx::sandboxes
