// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "wire/event.h"

namespace sbx::sandboxes {

// What happens to sandboxes, for its listeners. Publishing never waits for a listener: one that is kMostQueued events
// behind is dropped.
class Events {
 public:
  static constexpr std::size_t kMostQueued = 1024;

  // One listener's queue.
  class Listener {
   public:
    // The next event; nothing when `limit` passes without one. Check dropped() then.
    std::optional<wire::Event> next(std::chrono::milliseconds limit);
    bool dropped() const;

   private:
    friend class Events;
    bool offer(const wire::Event& event);
    void drop();

    mutable Mutex mutex_;
    Condition arrived_;
    std::deque<wire::Event> queue_ SBX_GUARDED_BY(mutex_);
    bool dropped_ SBX_GUARDED_BY(mutex_) = false;
  };

  // Listens for as long as the pointer is kept.
  std::shared_ptr<Listener> listen();
  void close();  // drops every listener, now and from now on
  void publish(wire::EventKind kind, std::string sandbox, Json detail = Json::object());
  void publish(const wire::Event& event);

 private:
  Mutex mutex_;
  std::vector<std::weak_ptr<Listener>> listeners_ SBX_GUARDED_BY(mutex_);
  bool closed_ SBX_GUARDED_BY(mutex_) = false;
};

}  // namespace sbx::sandboxes
