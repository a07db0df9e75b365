// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/child.h"
#include "base/fd.h"
#include "base/mutex.h"
#include "base/result.h"
#include "sandboxes/shim.h"
#include "wire/event.h"

namespace sbx::sandboxes {

// One thread that waits for the end of every running shim, reaps those that are our children, and passes on the events
// that shims tell: all that one has sent before it ended come before its end. The handlers run on that thread and must
// not take long.
class Watcher {
 public:
  using OnEnd =
      std::function<void(const std::string& name, const std::shared_ptr<const ShimProcess>&, std::optional<Exit>)>;
  using OnEvent =
      std::function<void(const std::string& name, const std::shared_ptr<const ShimProcess>&, const wire::Event&)>;

  static Result<std::unique_ptr<Watcher>> create(OnEnd on_end, OnEvent on_event);
  ~Watcher();  // stops the thread; shims run on
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // `events` is a connection from ShimSocket::watch.
  void add(std::string name, std::shared_ptr<const ShimProcess> shim, Fd events);

 private:
  struct Watched {
    std::string name;
    std::shared_ptr<const ShimProcess> shim;
    Fd events;  // empty once the shim has closed it
  };

  Watcher(OnEnd on_end, OnEvent on_event, Fd wake);
  void run(const std::stop_token& stop);
  void take_new();
  void wait_once();
  void handle_end(Watched& watched);
  void handle_event(Watched& watched);
  void wake();

  const OnEnd on_end_;
  const OnEvent on_event_;
  Fd wake_;
  std::vector<Watched> watched_;  // the thread's own
  Mutex mutex_;
  std::vector<Watched> new_ SBX_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace sbx::sandboxes
