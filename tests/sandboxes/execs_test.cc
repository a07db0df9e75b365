// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/execs.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

using ExecsTest = sbx::testing::DaemonTest;

TEST_F(ExecsTest, AnExecStartsTheSandboxAndGetsTheClient) {
  wire::CreateRequest wanted = world.request("box");
  wanted.directory = "/work";
  ASSERT_TRUE(daemon->creation.create(wanted, {}));
  auto pair = make_socket_pair();
  wire::ExecRequest request;
  request.command = {"true"};
  const auto done = daemon->execs.exec("box", request, pair->theirs);
  ASSERT_TRUE(done) << done.error().what();
  pair->theirs.reset();
  const auto answer = read_all(pair->ours, 4096);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->starts_with("HTTP/1.1 101 ")) << *answer;
  EXPECT_TRUE(answer->ends_with(R"({"command":["true"],"directory":"/work"})")) << *answer;
  EXPECT_EQ(status("box"), wire::Status::kRunning);
}

TEST_F(ExecsTest, ADetachedExecGivesItsPid) {
  make("box");
  wire::ExecRequest request;
  request.command = {"true"};
  request.detach = true;
  EXPECT_EQ(daemon->execs.exec_detached("box", request)->pid, 42);
}

TEST_F(ExecsTest, AnExecThatIsAskedForAgainIsNotStartedAgain) {
  make("box");
  const auto key = wire::RequestKey::random();
  wire::ExecRequest request;
  request.command = {"true"};
  auto pair = make_socket_pair();
  ASSERT_TRUE(daemon->execs.exec("box", request, pair->theirs, key));
  daemon.reset();
  daemon = world.daemon();
  auto other = make_socket_pair();
  const auto again = daemon->execs.exec("box", request, other->theirs, key);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), Code::kConflict);

  const auto second = wire::RequestKey::random();
  request.detach = true;
  const auto pid = daemon->execs.exec_detached("box", request, second)->pid;
  EXPECT_EQ(daemon->execs.exec_detached("box", request, second)->pid, pid);
  EXPECT_NE(daemon->execs.exec_detached("box", request)->pid, pid);
}

TEST_F(ExecsTest, AnExecThatFindsTheMachineEndingDoesNotHideWhy) {
  make("box", "panic");
  const auto events = daemon->events.listen();
  wire::ExecRequest request;
  request.command = {"true"};
  request.detach = true;
  EXPECT_FALSE(daemon->execs.exec_detached("box", request)) << "it panics each time";
  const std::string reason = await(*events, wire::EventKind::kDie).detail["reason"];
  EXPECT_TRUE(reason.starts_with("the guest's kernel panicked")) << reason;
}

TEST_F(ExecsTest, AnExecRightAfterTheShimWasKilledStartsAnother) {
  make("box");
  wire::ExecRequest request;
  request.command = {"true"};
  for (int i = 0; i < 5; ++i) {
    const auto started = daemon->lifecycle.start("box");
    ASSERT_TRUE(started);
    ASSERT_EQ(::kill(static_cast<pid_t>(started->shim_pid), SIGKILL), 0);
    auto pair = make_socket_pair();
    const auto done = daemon->execs.exec("box", request, pair->theirs);
    ASSERT_TRUE(done) << done.error().what();
    EXPECT_NE(daemon->registry.info("box")->shim_pid, started->shim_pid);
  }
}

}  // namespace
}  // namespace sbx::sandboxes
