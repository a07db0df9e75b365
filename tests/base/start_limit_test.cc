// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/start_limit.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

namespace sbx {
namespace {

std::chrono::seconds limit_with(const char* value) {
  ::setenv("SANDBOXD_START_SECONDS", value, 1);
  const auto limit = start_limit();
  ::unsetenv("SANDBOXD_START_SECONDS");
  return limit;
}

TEST(StartLimit, IsWhatTheEnvironmentSaysWithinBounds) {
  EXPECT_EQ(start_limit(), std::chrono::seconds(30));
  EXPECT_EQ(limit_with("300"), std::chrono::seconds(300));
  EXPECT_EQ(limit_with("5"), std::chrono::seconds(30));
  EXPECT_EQ(limit_with("99999"), std::chrono::seconds(600));
  for (const char* nonsense : {"", "soon", "30s", "-1"}) EXPECT_EQ(limit_with(nonsense), std::chrono::seconds(30));
}

}  // namespace
}  // namespace sbx
