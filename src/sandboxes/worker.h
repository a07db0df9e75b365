// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>

#include "base/mutex.h"

namespace sbx::sandboxes {

// One thread for what may take long and no client waits for. The destructor waits for what is queued.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void post(std::function<void()> job);

 private:
  void run(const std::stop_token& stop);

  Mutex mutex_;
  std::condition_variable_any arrived_;
  std::deque<std::function<void()>> jobs_ SBX_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace sbx::sandboxes
