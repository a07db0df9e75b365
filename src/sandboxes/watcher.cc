// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "base/log.h"
#include "base/socket.h"
#include "base/value.h"

namespace sbx::sandboxes {
namespace {

constexpr int kMostLastWords = 1024;

bool is_readable(const Fd& connection) {
  pollfd ready{connection.get(), POLLIN, 0};
  return connection && ::poll(&ready, 1, 0) > 0;
}

Result<wire::Event> receive_event(const Fd& connection) {
  TRY_ASSIGN(const auto message, receive_message(connection));
  if (!message) return fail(Code::kUnavailable, "closed");
  return value_in<wire::Event>(message->body, "event", Unknown::kIgnored);
}

}  // namespace

Result<std::unique_ptr<Watcher>> Watcher::create(OnEnd on_end, OnEvent on_event) {
  Fd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake) return fail_errno("make an eventfd");
  return std::unique_ptr<Watcher>(new Watcher(std::move(on_end), std::move(on_event), std::move(wake)));
}

Watcher::Watcher(OnEnd on_end, OnEvent on_event, Fd wake)
    : on_end_(std::move(on_end)), on_event_(std::move(on_event)), wake_(std::move(wake)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Watcher::~Watcher() {
  thread_.request_stop();
  wake();
  thread_.join();
}

void Watcher::add(std::string name, std::shared_ptr<const ShimProcess> shim, Fd events) {
  {
    const MutexLock lock(mutex_);
    new_.push_back({std::move(name), std::move(shim), std::move(events)});
  }
  wake();
}

void Watcher::wake() {
  const std::uint64_t one = 1;
  (void)!::write(wake_.get(), &one, sizeof one);
}

void Watcher::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    take_new();
    wait_once();
  }
}

void Watcher::take_new() {
  const MutexLock lock(mutex_);
  std::ranges::move(new_, std::back_inserter(watched_));
  new_.clear();
}

void Watcher::wait_once() {
  std::vector<pollfd> ready{{wake_.get(), POLLIN, 0}};
  for (const Watched& watched : watched_) {
    ready.push_back({watched.shim->pidfd.get(), POLLIN, 0});
    ready.push_back({watched.events.get(), POLLIN, 0});
  }
  if (::poll(ready.data(), ready.size(), -1) <= 0) return;
  std::uint64_t count = 0;
  (void)!::read(wake_.get(), &count, sizeof count);
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    if (ready[2 + 2 * i].revents != 0) handle_event(watched_[i]);
    if (ready[1 + 2 * i].revents != 0) handle_end(watched_[i]);
  }
  std::erase_if(watched_, [](const Watched& watched) { return watched.shim == nullptr; });
}

// A bound, because an attacker who has taken over a shim may have left a process that goes on talking in its name.
void Watcher::handle_end(Watched& watched) {
  for (int i = 0; i < kMostLastWords && is_readable(watched.events); ++i) handle_event(watched);
  on_end_(watched.name, watched.shim, watched.shim->reap());
  watched.shim = nullptr;
}

// A message that stays incomplete for longer than the connection's time limit costs the shim its connection, not us
// ours.
void Watcher::handle_event(Watched& watched) {
  auto event = receive_event(watched.events);
  if (!event) {
    if (event.error().code() != Code::kUnavailable) log_warning("events of {}: {}", watched.name, event.error().what());
    watched.events.reset();
    return;
  }
  // Identity is the connection, never what the message says.
  event->sandbox = watched.name;
  if (event->time.empty()) event->time = rfc3339(now());
  on_event_(watched.name, watched.shim, *event);
}

}  // namespace sbx::sandboxes
