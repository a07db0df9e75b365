// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/runs.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

using RunsTest = sbx::testing::DaemonTest;

TEST_F(RunsTest, AKilledShimIsNoticedCleanedUpAndTold) {
  make("box");
  const auto events = daemon->events.listen();
  const auto started = daemon->lifecycle.start("box");
  ASSERT_TRUE(started);
  ASSERT_TRUE(world.has_leftovers("box"));
  ASSERT_EQ(::kill(static_cast<pid_t>(started->shim_pid), SIGKILL), 0);
  const auto died = await(*events, wire::EventKind::kDie);
  EXPECT_EQ(died.sandbox, "box");
  EXPECT_EQ(status("box"), wire::Status::kStopped);
  EXPECT_EQ(daemon->registry.info("box")->reason, "the shim was killed (signal 9)");
  EXPECT_TRUE(daemon->lifecycle.stop("box"));  // waits for the clean-up, or does it
  EXPECT_FALSE(world.has_leftovers("box"));
}

TEST_F(RunsTest, TheReasonOfAnEndIsWhatTheShimSaid) {
  make("box", "panic");
  const auto events = daemon->events.listen();
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  ASSERT_TRUE(ShimSocket(world.home.machine("box") + "/shim.sock").watch());  // one more that it talks to
  wire::ExecRequest request;
  request.command = {"true"};
  request.detach = true;
  (void)ShimSocket(world.home.machine("box") + "/shim.sock").exec_detached(wire::RequestKey::random(), request);
  const std::string reason = await(*events, wire::EventKind::kDie).detail["reason"];
  EXPECT_TRUE(reason.starts_with("the guest's kernel panicked\\x1b[2J: xxx")) << reason;
  EXPECT_LT(reason.size(), 4200u);
  EXPECT_EQ(daemon->registry.info("box")->reason, reason);
}

TEST_F(RunsTest, EventsOfAShimCarryItsOwnNameWhateverItSays) {
  make("box");
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  const auto events = daemon->events.listen();
  wire::ExecRequest request;
  request.command = {"true"};
  ASSERT_TRUE(daemon->execs.exec_detached("box", request));
  EXPECT_EQ(await(*events, wire::EventKind::kExecStart).sandbox, "box");
}

}  // namespace
}  // namespace sbx::sandboxes
