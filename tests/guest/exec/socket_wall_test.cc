// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/socket_wall.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/landlock.h"

namespace sbx::guest {
namespace {

int exit_code_of(pid_t pid) {
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ForkTo, RunsTheChildInAProcessOfItsOwn) {
  const auto pid = fork_to([] { ::_exit(7); });
  ASSERT_TRUE(pid);
  EXPECT_NE(*pid, ::getpid());
  EXPECT_EQ(exit_code_of(*pid), 7);
}

TEST(ForkTo, AChildThatReturnsEndsNevertheless) {
  const auto pid = fork_to([] {});
  ASSERT_TRUE(pid);
  EXPECT_EQ(exit_code_of(*pid), 125);
}

// What it keeps out is tried on a host with such a kernel: tests/hosts/sockets.bats.
TEST(SocketWall, IsThereIfTheKernelHasOneAndForksTheChildrenOfThisProcess) {
  const bool there = landlock_version() >= kLandlockWithResolveUnix;
  if (there && ::getuid() != 0) return;  // it takes CAP_SYS_ADMIN
  const auto wall = SocketWall::raise();
  ASSERT_TRUE(wall) << wall.error().what();
  ASSERT_EQ(*wall != nullptr, there);
  if (!there) return;
  for (const int code : {3, 4}) {
    const auto pid = (*wall)->fork([code] { ::_exit(code); });
    ASSERT_TRUE(pid);
    EXPECT_EQ(exit_code_of(*pid), code);
  }
}

}  // namespace
}  // namespace sbx::guest
