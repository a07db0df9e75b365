// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/system_call_filter.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace sbx {
namespace {

// The error of a call, with numbers for arguments, in a process that may make none but those it needs to say so.
int error_behind_filter(long number) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr long kAllowed[] = {SYS_exit_group, SYS_getppid};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !allow_only(kAllowed)) ::_exit(255);
    ::_exit(::syscall(number, -1, 0, 0, 0) < 0 ? errno : 0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

TEST(SystemCallFilter, AllowsWhatIsNamed) { EXPECT_EQ(error_behind_filter(SYS_getppid), 0); }

TEST(SystemCallFilter, RefusesWhatIsNot) {
  EXPECT_EQ(error_behind_filter(SYS_getpid), EPERM);
  EXPECT_EQ(error_behind_filter(451), EPERM);
}

TEST(SystemCallFilter, HasNoCallsThatAreNewerThanItself) {
  EXPECT_EQ(error_behind_filter(452), ENOSYS);
  EXPECT_EQ(error_behind_filter(10000), ENOSYS);
}

#ifdef __x86_64__
TEST(SystemCallFilter, RefusesTheCallsOfX32) { EXPECT_EQ(error_behind_filter(0x40000000 + SYS_getppid), EPERM); }
#endif

}  // namespace
}  // namespace sbx
