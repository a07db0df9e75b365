// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/warden.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "base/child.h"
#include "base/file.h"
#include "base/text.h"

namespace sbx::backends::qemu {
namespace {

Child sleeper() { return std::move(*Child::start({.argv = {"sleep", "600"}})); }

TEST(Warden, KillsWhenItIsTold) {
  Child first = sleeper();
  Child second = sleeper();
  auto warden = Warden::post({&first.pidfd(), &second.pidfd()});
  ASSERT_TRUE(warden);
  warden->kill();
  EXPECT_EQ(first.wait()->signal, SIGKILL);
  EXPECT_EQ(second.wait()->signal, SIGKILL);
  ::waitpid(warden->pid(), nullptr, 0);
}

TEST(Warden, KillsWhenItsShimIsKilled) {
  Child victim = sleeper();
  auto ready = make_pipe();
  ASSERT_TRUE(ready);
  const pid_t shim = ::fork();
  if (shim == 0) {
    const auto warden = Warden::post({&victim.pidfd()});
    (void)!::write(ready->write.get(), warden ? "y" : "n", 1);
    for (;;) ::pause();
  }
  char answer = 0;
  ASSERT_EQ(::read(ready->read.get(), &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  ASSERT_TRUE(*victim.wait_for(std::chrono::milliseconds(0)) == std::nullopt);
  ::kill(shim, SIGKILL);
  ::waitpid(shim, nullptr, 0);
  EXPECT_EQ(victim.wait()->signal, SIGKILL);
}

// The only thing that it has is the right to kill, and a filter over it.
TEST(Warden, HasGivenUpEverythingElse) {
  Child victim = sleeper();
  auto warden = Warden::post({&victim.pidfd()});
  ASSERT_TRUE(warden);
  const std::string status = "/proc/" + std::to_string(warden->pid()) + "/status";
  std::string text;
  // It confines itself after the fork; the filter is the last step.
  while (text.find("Seccomp:\t2") == std::string::npos) {
    const auto now = read_file(status);
    ASSERT_TRUE(now);
    text = *now;
    ::usleep(1000);
  }
  EXPECT_NE(text.find("CapEff:\t0000000000000020"), std::string::npos) << text;
  EXPECT_NE(text.find("CapPrm:\t0000000000000020"), std::string::npos) << text;
  EXPECT_NE(text.find("NoNewPrivs:\t1"), std::string::npos) << text;
  warden->kill();
  ::waitpid(warden->pid(), nullptr, 0);
}

}  // namespace
}  // namespace sbx::backends::qemu
