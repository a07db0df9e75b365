// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "base/json.h"

namespace sbx::guest {

// Notes how long a step took, under its name.
template <class Step>
auto timed(Json& timings, const char* name, Step step) {
  const SteadyTime begin = steady_now();
  auto result = step();
  timings[name] = std::chrono::duration_cast<std::chrono::microseconds>(steady_now() - begin).count();
  return result;
}

// Since the kernel has had a clock.
inline std::int64_t uptime_us() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return now.tv_sec * INT64_C(1'000'000) + now.tv_nsec / 1000;
}

}  // namespace sbx::guest
