// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

namespace sbx {
namespace {

TEST(Child, PassesOnTheExitCode) {
  EXPECT_EQ(run({.argv = {"sh", "-c", "exit 7"}})->exit.code, 7);
  const auto killed = run({.argv = {"sh", "-c", "kill -9 $$"}});
  EXPECT_EQ(killed->exit.code, 137);
  EXPECT_EQ(killed->exit.signal, 9);
}

TEST(Child, AMissingProgramIsAnErrorAndNotAnExitCode) {
  const auto child = Child::start({.argv = {"/nonexistent/program"}});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().code(), Code::kNotFound);
  EXPECT_FALSE(Child::start({.argv = {}}));
  EXPECT_FALSE(Child::start({.argv = {"true"}, .directory = "/nonexistent"}));
}

TEST(Child, CollectsBothStreams) {
  const auto output = run({.argv = {"sh", "-c", "echo out; echo err >&2"}});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "out\n");
  EXPECT_EQ(output->err, "err\n");
}

TEST(Child, GetsOnlyTheDescriptorsItIsGiven) {
  auto kept = make_pipe();
  // Opened without O_CLOEXEC on purpose, as a careless library would.
  const int careless = ::dup(kept->read.get());
  const auto output = run({.argv = {"sh", "-c", "ls /proc/self/fd | tr '\\n' ' '"}, .passed_fds = {kept->write.get()}});
  ::close(careless);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "0 1 2 3 4 ");  // 4 is ls reading the directory
}

TEST(Child, DestructorKillsAndReaps) {
  pid_t pid = -1;
  {
    auto child = Child::start({.argv = {"sleep", "1000"}});
    ASSERT_TRUE(child);
    pid = child->pid();
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_EQ(::kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(Child, RunGivesUpOnAProgramThatDoesNotEnd) {
  const auto output = run({.argv = {"sleep", "1000"}}, std::chrono::milliseconds(20));
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code(), Code::kTimeout);
}

TEST(Child, WaitForTellsThatItStillRuns) {
  auto child = Child::start({.argv = {"sleep", "1000"}});
  const auto waited = child->wait_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(waited);
  EXPECT_FALSE(waited->has_value());
  ASSERT_TRUE(child->signal(SIGTERM));
  EXPECT_EQ(child->wait()->code, 143);
}

}  // namespace
}  // namespace sbx
