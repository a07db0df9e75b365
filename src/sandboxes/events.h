// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "wire/event.h"

namespace sbx::sandboxes {

// What happens to sandboxes, for whoever listens. Publishing never waits for a listener: one that is kMostQueued events
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

    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<wire::Event> queue_;
    bool dropped_ = false;
  };

  // Listens for as long as the pointer is kept.
  std::shared_ptr<Listener> listen();
  void close();  // drops every listener, now and from now on
  void publish(wire::EventKind kind, std::string sandbox, Json detail = Json::object());
  void publish(const wire::Event& event);

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<Listener>> listeners_;  // guarded by mutex_
  bool closed_ = false;                             // guarded by mutex_
};

}  // namespace sbx::sandboxes
