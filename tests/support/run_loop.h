// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "base/clock.h"
#include "loop/loop.h"

namespace sbx::testing {

// Runs the loop until something is so; a minute is for ever.
[[nodiscard]] inline bool run_until(loop::Loop& loop, const std::function<bool()>& is_so) {
  const SteadyTime deadline = steady_now() + std::chrono::minutes(1);
  while (!is_so() && steady_now() < deadline) {
    const auto again = loop.after(std::chrono::milliseconds(1), [&loop] { loop.stop(); });
    if (!loop.run()) return false;
  }
  return is_so();
}

// Lets the loop handle everything that is there now. Sockets in one process are ready at once, so a number of rounds is
// enough, and no clock is involved.
inline void settle(loop::Loop& loop) {
  for (int round = 0; round < 64; ++round) {
    const auto end = loop.after(std::chrono::milliseconds(0), [&loop] { loop.stop(); });
    EXPECT_TRUE(loop.run());
  }
}

}  // namespace sbx::testing
