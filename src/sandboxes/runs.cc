// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/runs.h"

#include "base/log.h"
#include "base/text.h"
#include "base/value.h"

namespace sbx::sandboxes {
namespace {

constexpr std::size_t kLongestReason = 4096;
constexpr std::size_t kMostEarly = 1024;

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

Result<> Runs::watch() {
  TRY_ASSIGN(watcher_, Watcher::create(
                           [this](const auto& name, const auto& shim, auto exit) { end(name, shim, exit); },
                           [this](const auto& name, const auto& shim, const auto& event) { tell(name, shim, event); }));
  return Ok{};
}

Result<> Runs::adopt_held(Sandbox& sandbox, Launched launched) {
  auto events = sandbox.directory().shim().watch();
  if (!events) {
    launched.shim->kill_and_wait();
    (void)launched.shim->reap();
    return fail(std::move(events).error());
  }
  sandbox.set_state(Running{launched.shim, std::move(launched.status), false, {}, networks_.bound_ports(sandbox)});
  watcher_->add(sandbox.name(), std::move(launched.shim), std::move(*events));
  return Ok{};
}

void Runs::tell(const std::string& name, const std::shared_ptr<const ShimProcess>& shim, const wire::Event& event) {
  if (event.kind == wire::EventKind::kUnknown) return;
  if (event.kind == wire::EventKind::kMcp) return tell_of_mcp(name, event);
  if (event.kind != wire::EventKind::kEnding) return events_.publish(event);
  if (const auto sandbox = registry_.find(name)) (*sandbox)->expect_end(shim, told_reason(event));
}

void Runs::on_mcp(OnMcp handler) {
  const MutexLock lock(mutex_);
  on_mcp_ = std::move(handler);
  if (!on_mcp_) return;
  for (const auto& [name, wanted] : std::exchange(early_mcp_, {})) on_mcp_(name, wanted);
}

void Runs::tell_of_mcp(const std::string& name, const wire::Event& event) {
  const auto wanted = value_of<wire::McpWanted>(event.detail, "mcp", Unknown::kIgnored);
  const MutexLock lock(mutex_);
  if (!wanted) return;
  if (on_mcp_)
    on_mcp_(name, *wanted);
  else if (early_mcp_.size() < kMostEarly)
    early_mcp_.emplace_back(name, *wanted);
}

void Runs::end(const std::string& name, const std::shared_ptr<const ShimProcess>& shim, std::optional<Exit> exit) {
  const auto sandbox = registry_.find(name);
  if (!sandbox) return;
  if (!exit) exit = shim->reap();
  const auto stopped = (*sandbox)->end_run(shim, reason_of(exit));
  if (!stopped) return;
  store_.note(name, {false, stopped->reason, stopped->timings, (*sandbox)->used_at()});
  if (stopped->reason.empty()) return events_.publish(wire::EventKind::kStop, name);
  events_.publish(wire::EventKind::kDie, name, {{"reason", stopped->reason}});
  clean_up_later(*sandbox);
}

void Runs::clean_up_later(std::shared_ptr<Sandbox> sandbox) {
  worker_.post([this, sandbox = std::move(sandbox)] {
    const std::scoped_lock held(sandbox->operation());
    if (!std::holds_alternative<Stopped>(sandbox->state())) return;
    if (auto cleaned = machines_.clean_up_held(*sandbox); !cleaned)
      log_error("clean up after {}: {}", sandbox->name(), cleaned.error().what());
  });
}

}  // namespace sbx::sandboxes
