// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/removal.h"

#include <gtest/gtest.h>

#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

using RemovalTest = sbx::testing::DaemonTest;

TEST_F(RemovalTest, RemovingARunningOneLeavesNothingButTheWorkspace) {
  make("box");
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  const auto removed = daemon->removal.remove("box");
  ASSERT_TRUE(removed) << removed.error().what();
  EXPECT_FALSE(exists(world.home.machine("box")));
  EXPECT_FALSE(world.has_leftovers("box"));
  EXPECT_TRUE(daemon->registry.list().empty());
  EXPECT_EQ(*read_file(world.workspace + "/precious"), "bytes");
  EXPECT_EQ(daemon->removal.remove("box").error().code(), Code::kNotFound);
}

TEST_F(RemovalTest, ResetRemovesAll) {
  make("aa");
  make("bb");
  ASSERT_TRUE(daemon->lifecycle.start("bb"));
  EXPECT_EQ(*daemon->removal.reset(), (std::vector<std::string>{"aa", "bb"}));
  EXPECT_TRUE(daemon->registry.list().empty());
  EXPECT_TRUE(exists(world.workspace + "/precious"));
}

}  // namespace
}  // namespace sbx::sandboxes
