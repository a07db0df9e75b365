// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/confine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <functional>

#include "base/capabilities.h"
#include "base/child.h"

namespace sbx::shim {
namespace {

constexpr std::uint32_t kId = 3'900'000'000u;
constexpr std::uint32_t kUser = 65534;

// Does something in a process that is confined as a shim is, and tells what it returned. 255: it could not be confined.
int confined(std::uint32_t id, const std::function<int()>& act) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(confine(id) ? act() : 255);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int error_of(long result) { return result < 0 ? errno : 0; }

// As root's shim, which becomes an id without rights, and as an ordinary user's, which keeps the user's own: there the
// system call filter alone stands before the user's other processes.
class ConfinedShim : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "changes identities, which only root may";
  }

  int acting(const std::function<int()>& act) {
    if (GetParam()) return confined(kId, act);
    const pid_t user = ::fork();
    if (user == 0) ::_exit(become(kUser) ? confined(0, act) : 253);
    int status = 0;
    ::waitpid(user, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 254;
  }
};

TEST_P(ConfinedShim, SignalsNoProcessByItsNumber) {
  struct Attempt {
    const char* what;
    std::function<long()> act;
  };
  constexpr long kHigh = 1l << 32;
  const Attempt kAttempts[] = {
      {"kill", [] { return ::kill(::getppid(), 0); }},
      {"kill itself", [] { return ::kill(::getpid(), 0); }},
      {"kill all", [] { return ::kill(-1, 0); }},
      {"tkill", [] { return ::syscall(SYS_tkill, ::getppid(), 0); }},
      {"tgkill", [] { return ::syscall(SYS_tgkill, ::getppid(), ::getppid(), 0); }},
      {"tgkill, a longer number", [] { return ::syscall(SYS_tgkill, kHigh | ::getppid(), ::getppid(), 0); }},
      {"tgkill, anybody", [] { return ::syscall(SYS_tgkill, -1l, ::getppid(), 0); }},
      {"rt_sigqueueinfo", [] { return ::syscall(SYS_rt_sigqueueinfo, ::getppid(), 0, nullptr); }},
      {"pidfd_open", [] { return ::syscall(SYS_pidfd_open, ::getppid(), 0); }},
      {"F_SETOWN", [] { return ::fcntl(2, F_SETOWN, ::getppid()); }},
      {"F_SETOWN, a longer number", [] { return ::syscall(SYS_fcntl, 2, kHigh | F_SETOWN, ::getppid()); }},
      {"F_SETSIG", [] { return ::fcntl(2, F_SETSIG, SIGKILL); }},
  };
  for (const Attempt& each : kAttempts) EXPECT_EQ(acting([&] { return error_of(each.act()); }), EPERM) << each.what;
}

TEST_P(ConfinedShim, OpensNothingAndStartsNothing) {
  struct Attempt {
    const char* what;
    std::function<long()> act;
  };
  const Attempt kAttempts[] = {
      {"open", [] { return ::open("/etc/hosts", O_RDONLY); }},
      {"socket", [] { return ::socket(AF_UNIX, SOCK_STREAM, 0); }},
      {"vsock", [] { return ::syscall(SYS_socket, 1l << 32 | AF_VSOCK, SOCK_STREAM, 0); }},
      {"socketpair", [] { return ::syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, nullptr); }},
      {"io_uring", [] { return ::syscall(SYS_io_uring_setup, 1, nullptr); }},
      {"fork", [] { return ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }},
      {"exec", [] { return ::execl("/bin/true", "true", nullptr); }},
      {"a lease", [] { return ::fcntl(2, F_SETLEASE, F_RDLCK); }},
  };
  for (const Attempt& each : kAttempts) EXPECT_EQ(acting([&] { return error_of(each.act()); }), EPERM) << each.what;
}

TEST_P(ConfinedShim, CanStillAbort) {
  EXPECT_EQ(acting([]() -> int { std::abort(); }), 128 + SIGABRT);
}

INSTANTIATE_TEST_SUITE_P(Shim, ConfinedShim, ::testing::Values(true, false),
                         [](const auto& test) { return test.param ? "AsRoot" : "AsAnOrdinaryUser"; });

// What it was given before: the machine. As an ordinary user, who may signal it at all.
TEST(ConfinedShimOfAUser, EndsTheProcessThatItHoldsAHandleOf) {
  if (::geteuid() != 0) GTEST_SKIP() << "changes identities, which only root may";
  const pid_t user = ::fork();
  if (user == 0) {
    if (!become(kUser)) ::_exit(253);
    const pid_t machine = ::fork();
    if (machine == 0) {
      ::pause();
      ::_exit(0);
    }
    const auto handle = open_pidfd(machine);
    if (!handle) ::_exit(252);
    ::_exit(
        confined(0, [&] { return error_of(::syscall(SYS_pidfd_send_signal, handle->get(), SIGKILL, nullptr, 0)); }) ==
                    0 &&
                ::waitpid(machine, nullptr, 0) == machine
            ? 0
            : 1);
  }
  int status = 0;
  ::waitpid(user, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace sbx::shim
