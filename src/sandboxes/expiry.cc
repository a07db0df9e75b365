// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/expiry.h"

#include <algorithm>

#include "base/log.h"

namespace sbx::sandboxes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// No longer sleep than this, because the wall clock may be set and no event tells of that.
constexpr seconds kLongestSleep{60};
constexpr seconds kExpiryRetry{10};  // after a failure
constexpr seconds kClientsRound{10};
constexpr milliseconds kIdleStatusLimit = seconds(2);

}  // namespace

Expiry::~Expiry() {
  ending_ = true;
  events_.close();
}

void Expiry::watch() {
  thread_ = std::jthread([this] { run(); });
}

// Every event of a sandbox may change what is due next.
void Expiry::run() {
  auto listener = events_.listen();
  while (!ending_) {
    // It could not keep up, and listens anew, or there are no events any more.
    if (listener->dropped()) listener = events_.listen();
    if (listener->dropped()) return;
    const WallTime time = parts_.clock();
    const auto sleep = std::chrono::duration_cast<milliseconds>(enforce(time) - time);
    const auto event = listener->next(std::clamp<milliseconds>(sleep, milliseconds(50), kLongestSleep));
    if (event && event->kind == wire::EventKind::kExecExit)
      if (const auto sandbox = registry_.find(event->sandbox)) busy_[(*sandbox)->record().id] = parts_.clock();
  }
}

WallTime Expiry::enforce(WallTime time) {
  WallTime next = time + kLongestSleep;
  for (const auto& sandbox : registry_.all()) {
    const store::Record record = sandbox->record();
    if (record.ttl_s == 0 && record.idle_stop_s == 0) continue;
    if (record.phase == store::Phase::kReady) next = std::min(next, enforce_on(*sandbox, record, time));
  }
  return next;
}

WallTime Expiry::enforce_on(Sandbox& sandbox, const store::Record& record, WallTime time) {
  WallTime next = time + kLongestSleep;
  if (record.ttl_s != 0) {
    const auto made = parse_rfc3339(record.created_at);
    const WallTime due = made.value_or(time) + seconds(record.ttl_s);
    if (time >= due) {
      log_info("sandbox {} is removed: its --ttl is over", record.name);
      const auto removed = removal_.remove(record.name);
      if (!removed) log_error("{}", removed.error().what());
      return time + (removed ? kLongestSleep : kExpiryRetry);
    }
    next = std::min(next, due);
  }
  if (record.idle_stop_s != 0 && sandbox.running())
    next = std::min(next, stop_if_idle(sandbox, seconds(record.idle_stop_s), time));
  return next;
}

WallTime Expiry::stop_if_idle(Sandbox& sandbox, seconds limit, WallTime time) {
  WallTime& busy = busy_[sandbox.record().id];
  const std::string used_at = sandbox.used_at();
  busy = std::max(busy, parse_rfc3339(used_at).value_or(time));
  if (time < busy + limit) return busy + limit;
  const auto status = sandbox.directory().shim().status(kIdleStatusLimit);
  if (!status) return time + kExpiryRetry;
  if (status->execs > 0 || status->docker_clients > 0) {
    busy = time;
    // No event tells that a client of docker.sock has gone.
    return time + (status->docker_clients > 0 ? std::min(limit, kClientsRound) : limit);
  }
  // An exec notes its use before it speaks to the shim: one that came meanwhile is seen here.
  // A sandbox that is being worked on is not idle, and the others do not wait for it here.
  const std::unique_lock held(sandbox.operation(), std::try_to_lock);
  if (!held) return time + kExpiryRetry;
  if (!sandbox.running() || sandbox.used_at() != used_at) return time + limit;
  log_info("sandbox {} is stopped: nothing has run in it for {} s", sandbox.name(), limit.count());
  const auto stopped = lifecycle_.stop_held(sandbox, kDefaultGrace);
  if (!stopped) log_error("{}", stopped.error().what());
  return time + (stopped ? kLongestSleep : kExpiryRetry);
}

}  // namespace sbx::sandboxes
