// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/events.h"

#include "base/clock.h"

namespace sbx::sandboxes {

std::optional<wire::Event> Events::Listener::next(std::chrono::milliseconds limit) {
  MutexLock lock(mutex_);
  arrived_.wait_for(lock, limit, [this]() SBX_REQUIRES(mutex_) { return !queue_.empty() || dropped_; });
  if (queue_.empty()) return std::nullopt;
  wire::Event event = std::move(queue_.front());
  queue_.pop_front();
  return event;
}

bool Events::Listener::dropped() const {
  const MutexLock lock(mutex_);
  return dropped_;
}

bool Events::Listener::offer(const wire::Event& event) {
  const MutexLock lock(mutex_);
  if (queue_.size() >= kMostQueued) dropped_ = true;
  if (!dropped_) queue_.push_back(event);
  arrived_.notify_one();
  return !dropped_;
}

void Events::Listener::drop() {
  const MutexLock lock(mutex_);
  dropped_ = true;
  arrived_.notify_one();
}

void Events::close() {
  const MutexLock lock(mutex_);
  closed_ = true;
  for (const auto& weak : listeners_)
    if (const auto listener = weak.lock()) listener->drop();
}

std::shared_ptr<Events::Listener> Events::listen() {
  auto listener = std::make_shared<Listener>();
  const MutexLock lock(mutex_);
  if (closed_) listener->drop();
  listeners_.push_back(listener);
  return listener;
}

void Events::publish(wire::EventKind kind, std::string sandbox, Json detail) {
  publish(wire::Event{rfc3339(now()), kind, std::move(sandbox), std::move(detail)});
}

void Events::publish(const wire::Event& event) {
  const MutexLock lock(mutex_);
  std::erase_if(listeners_, [&event](const std::weak_ptr<Listener>& weak) {
    const auto listener = weak.lock();
    return !listener || !listener->offer(event);
  });
}

}  // namespace sbx::sandboxes
