// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/without.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sbx::backends::qemu {
namespace {

TEST(Without, IsWhatTheEnvironmentLists) {
  EXPECT_FALSE(without("spare"));
  ASSERT_EQ(::setenv("SANDBOXD_WITHOUT", "unsigned-modules,spare", 1), 0);
  EXPECT_TRUE(without("spare"));
  EXPECT_TRUE(without("unsigned-modules"));
  EXPECT_FALSE(without("modules"));
  ASSERT_EQ(::unsetenv("SANDBOXD_WITHOUT"), 0);
}

}  // namespace
}  // namespace sbx::backends::qemu
