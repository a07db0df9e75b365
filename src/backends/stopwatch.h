// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/timings.h"

namespace sbx::backends {

// Where the time of a start went.
class Stopwatch {
 public:
  void lap(const char* step) {
    note_time_since(last_, step, laps_);
    last_ = steady_now();
  }
  const Timings& laps() const { return laps_; }

 private:
  SteadyTime last_ = steady_now();
  Timings laps_;
};

}  // namespace sbx::backends
