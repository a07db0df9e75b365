// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/sandbox.h"

#include <sys/socket.h>

#include "base/overloaded.h"
#include "sandboxes/mounts.h"

namespace sbx::sandboxes {
namespace {

void show(const State& state, wire::SandboxInfo& info) {
  std::visit(Overloaded{[&](const Creating&) { info.status = wire::Status::kCreating; },
                        [&](const Stopped& stopped) {
                          info.status = wire::Status::kStopped;
                          info.reason = stopped.reason;
                          info.timings = stopped.timings;
                        },
                        [&](const Running& running) {
                          info.status = wire::Status::kRunning;
                          info.shim_pid = running.status.shim_pid;
                          info.init_pid = running.status.init_pid;
                          info.timings = running.status.timings;
                          info.ports = running.ports;
                          info.limits_enforced = running.status.limits_enforced;
                          info.covered_sockets = running.status.covered_sockets;
                          info.sockets_searched = running.status.sockets_searched;
                          if (running.status.isolation != wire::Isolation::kUnknown)
                            info.isolation = running.status.isolation;
                        },
                        [&](const Failed& failed) {
                          info.status = wire::Status::kFailed;
                          info.reason = failed.reason;
                        },
                        [&](const Removing&) { info.status = wire::Status::kRemoving; },
                        [&](const Gone&) { info.status = wire::Status::kRemoving; }},
             state);
}

wire::SandboxInfo describe(const store::Record& record) {
  wire::SandboxInfo info;
  static_cast<wire::Settings&>(info) = record;
  info.id = record.id;
  info.name = record.name;
  info.agent = record.agent;
  info.agent_command = record.agent_command;
  info.isolation = record.isolation;
  info.backend = record.backend;
  info.template_name = record.base.name;
  info.template_digest = record.base.digest;
  info.created_at = record.created_at;
  return info;
}

Running* run_of(State& state, const std::shared_ptr<const ShimProcess>& shim) {
  auto* running = std::get_if<Running>(&state);
  return running != nullptr && running->shim == shim ? running : nullptr;
}

void shut_down(const Fd& connection) {
  if (connection) ::shutdown(connection.get(), SHUT_RDWR);
}

}  // namespace

Sandbox::Operation Sandbox::operation_to_end() {
  {
    const MutexLock lock(mutex_);
    ++ends_wanted_;
    shut_down(copy_);
  }
  Operation operation(operation_);
  const MutexLock lock(mutex_);
  --ends_wanted_;
  return operation;
}

void Sandbox::set_copy(Fd connection) {
  const MutexLock lock(mutex_);
  copy_ = std::move(connection);
  if (ends_wanted_ > 0) shut_down(copy_);
}

Failure not_found(const std::string& name) {
  return fail(Code::kNotFound, "sandbox \"" + name + "\" not found", "sandbox ls");
}

store::Record Sandbox::record() const {
  const MutexLock lock(mutex_);
  return record_;
}

State Sandbox::state() const {
  const MutexLock lock(mutex_);
  return state_;
}

std::optional<Running> Sandbox::running() const {
  const MutexLock lock(mutex_);
  if (const auto* running = std::get_if<Running>(&state_)) return *running;
  return std::nullopt;
}

Result<> Sandbox::usable() const {
  const State current = state();
  if (const auto* failed = std::get_if<Failed>(&current))
    return fail(Code::kConflict, "sandbox " + name() + " cannot be used: " + failed->reason, failed->hint);
  if (std::holds_alternative<Removing>(current))
    return fail(Code::kConflict, "sandbox " + name() + " is being removed");
  if (std::holds_alternative<Creating>(current))
    return fail(Code::kConflict, "sandbox " + name() + " is still being created");
  if (std::holds_alternative<Gone>(current)) return not_found(name());
  return Ok{};
}

wire::SandboxInfo Sandbox::info() const {
  wire::SandboxInfo info;
  {
    const MutexLock lock(mutex_);
    info = describe(record_);
    info.used_at = used_at_;
    show(state_, info);
  }
  info.state_directory = directory_.path();
  info.workspace_missing = any_missing(info.workspaces);
  return info;
}

std::string Sandbox::used_at() const {
  const MutexLock lock(mutex_);
  return used_at_;
}

void Sandbox::set_used(std::string time) {
  const MutexLock lock(mutex_);
  used_at_ = std::move(time);
}

void Sandbox::set_record(store::Record record) {
  const MutexLock lock(mutex_);
  record_ = std::move(record);
}

void Sandbox::set_state(State state) {
  const MutexLock lock(mutex_);
  state_ = std::move(state);
  changed_.notify_all();
}

void Sandbox::set_bound(std::vector<wire::PublishedPort> ports) {
  const MutexLock lock(mutex_);
  if (auto* running = std::get_if<Running>(&state_)) running->ports = std::move(ports);
}

void Sandbox::expect_stop() {
  const MutexLock lock(mutex_);
  if (auto* running = std::get_if<Running>(&state_)) running->stop_asked = true;
}

void Sandbox::expect_end(const std::shared_ptr<const ShimProcess>& shim, std::string reason) {
  const MutexLock lock(mutex_);
  if (Running* running = run_of(state_, shim)) running->ending = std::move(reason);
}

std::optional<Stopped> Sandbox::end_run(const std::shared_ptr<const ShimProcess>& shim, const std::string& reason) {
  const MutexLock lock(mutex_);
  Running* running = run_of(state_, shim);
  if (running == nullptr) return std::nullopt;
  Stopped stopped{running->ending.empty() ? reason : running->ending, std::move(running->status.timings)};
  if (running->stop_asked) stopped.reason.clear();
  state_ = stopped;
  changed_.notify_all();
  return stopped;
}

bool Sandbox::await_end_of_run(const std::shared_ptr<const ShimProcess>& shim, std::chrono::milliseconds limit) {
  MutexLock lock(mutex_);
  return changed_.wait_for(lock, limit, [&]() SBX_REQUIRES(mutex_) { return run_of(state_, shim) == nullptr; });
}

}  // namespace sbx::sandboxes
