// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/poll.h"

#include <gtest/gtest.h>

namespace sbx {
namespace {

TEST(WaitReadable, SaysThatTheDeadlineHasPassed) {
  const auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  EXPECT_EQ(wait_readable(pipe->read, steady_now()), false);
}

TEST(WaitReadable, LooksOnceAfterTheDeadline) {
  const auto pipe = make_pipe();
  ASSERT_TRUE(pipe && write_all(pipe->write, "x"));
  EXPECT_EQ(wait_readable(pipe->read, steady_now() - std::chrono::hours(1)), true);
}

TEST(WaitReadable, TakesEofForReadable) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  pipe->write.reset();
  EXPECT_EQ(wait_readable(pipe->read, SteadyTime::max()), true);
}

}  // namespace
}  // namespace sbx
