// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include <cstdint>

#include "base/clock.h"
#include "base/timings.h"

namespace sbx::guest {

// Notes how long a step took, under its name.
template <class Step>
auto timed(Timings& timings, const char* name, Step step) {
  const SteadyTime begin = steady_now();
  auto result = step();
  note_time_since(begin, name, timings);
  return result;
}

// Since the kernel has had a clock.
inline std::int64_t uptime_us() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return now.tv_sec * INT64_C(1'000'000) + now.tv_nsec / 1000;
}

}  // namespace sbx::guest
