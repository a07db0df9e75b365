// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace sbx {

// Where the time went: step → microseconds, in the order of the steps.
using Timings = std::vector<std::pair<std::string, std::int64_t>>;

inline void note_time_since(SteadyTime begin, std::string step, Timings& timings) {
  timings.emplace_back(std::move(step),
                       std::chrono::duration_cast<std::chrono::microseconds>(steady_now() - begin).count());
}

}  // namespace sbx
