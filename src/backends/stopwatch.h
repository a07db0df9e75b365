// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "base/clock.h"
#include "base/json.h"

namespace sbx::backends {

// Where the time of a start went: step → microseconds.
class Stopwatch {
 public:
  void lap(const char* step) {
    const SteadyTime now = steady_now();
    laps_[step] = std::chrono::duration_cast<std::chrono::microseconds>(now - last_).count();
    last_ = now;
  }
  const Json& laps() const { return laps_; }

 private:
  SteadyTime last_ = steady_now();
  Json laps_ = Json::object();
};

}  // namespace sbx::backends
