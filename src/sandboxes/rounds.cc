// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/rounds.h"

#include <algorithm>

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::milliseconds kShortestSleep{50};

}  // namespace

void Rounds::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Rounds::look_again() {
  const MutexLock lock(mutex_);
  has_changed_ = true;
  changed_.notify_all();
}

void Rounds::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void Rounds::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto sleep = std::clamp(round_(), kShortestSleep, kLongestSleep);
    MutexLock lock(mutex_);
    changed_.wait_for(lock, stop, sleep, [this]() SBX_REQUIRES(mutex_) { return has_changed_; });
    has_changed_ = false;
  }
}

}  // namespace sbx::sandboxes
