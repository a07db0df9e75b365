// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace sbx {
namespace {

TEST(LockFile, IsHeldUntilTheFileIsClosed) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory.path() + "/lock";
  auto first = open_path(path, O_RDWR | O_CREAT);
  const auto second = open_path(path, O_RDWR);
  ASSERT_TRUE(first && second && lock_file(*first, path));
  EXPECT_EQ(try_lock_file(*second, path), false);
  EXPECT_EQ(lock_file_until(*second, path, steady_now()), false);
  first->reset();
  EXPECT_EQ(lock_file_until(*second, path, steady_now()), true);
}

TEST(LockFile, NamesThePathInItsError) {
  EXPECT_EQ(try_lock_file(Fd(), "/a/lock").error().what(), "lock /a/lock: Bad file descriptor");
}

}  // namespace
}  // namespace sbx
