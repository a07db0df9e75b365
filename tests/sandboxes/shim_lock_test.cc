// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/shim_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::sandboxes {
namespace {

class ShimLock : public ::testing::Test {
 protected:
  // The pid of the last shim, which somebody else has been given since.
  ShimLock() { EXPECT_TRUE(write_file(directory / "shim.lock", std::to_string(::getpid()))); }
  const sbx::testing::TemporaryDirectory directory;
};

TEST_F(ShimLock, ThatNobodyHoldsNamesNobody) {
  const auto shim = living_shim(directory.path());
  ASSERT_TRUE(shim) << shim.error().what();
  EXPECT_FALSE(*shim);
}

TEST_F(ShimLock, NamesNobodyElseBeforeItsHolderHasSigned) {
  const auto lock = take_shim_lock(directory.path());
  ASSERT_TRUE(lock) << lock.error().what();
  const auto shim = living_shim(directory.path());
  ASSERT_FALSE(shim);
  EXPECT_EQ(shim.error().code(), Code::kConflict);
}

TEST_F(ShimLock, NamesItsHolder) {
  const auto lock = take_shim_lock(directory.path());
  ASSERT_TRUE(lock) << lock.error().what();
  ASSERT_TRUE(write_file(directory / "shim.lock", std::to_string(::getpid())));
  const auto shim = living_shim(directory.path());
  ASSERT_TRUE(shim) << shim.error().what();
  ASSERT_TRUE(*shim);
  EXPECT_EQ((*shim)->pid, ::getpid());
}

TEST_F(ShimLock, IsTakenOnce) {
  const auto first = take_shim_lock(directory.path());
  const auto second = take_shim_lock(directory.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), Code::kConflict);
}

}  // namespace
}  // namespace sbx::sandboxes
