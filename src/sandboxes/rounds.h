// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <thread>

#include "base/mutex.h"

namespace sbx::sandboxes {

// A thread that does something again and again: when the time has come that the last round named, when something has
// changed, and every minute, because the wall clock may be set and no event tells of that.
//
//   Rounds rounds([this] { return sweep(); });  // how long until there is more to do
//   rounds.start();
class Rounds {
 public:
  using Round = std::function<std::chrono::milliseconds()>;
  static constexpr std::chrono::milliseconds kLongestSleep = std::chrono::minutes(1);

  explicit Rounds(Round round) : round_(std::move(round)) {}
  ~Rounds() { stop(); }

  void start();
  void look_again();  // without waiting
  void stop();        // when the round under way is done; there is none after it

 private:
  void run(const std::stop_token& stop);

  const Round round_;
  Mutex mutex_;
  std::condition_variable_any changed_;
  bool has_changed_ SBX_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace sbx::sandboxes
