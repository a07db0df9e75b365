// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/sessions.h"

#include <gtest/gtest.h>

#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

using SessionsTest = sbx::testing::DaemonTest;

TEST_F(SessionsTest, ARunningSandboxTellsItsSessions) {
  make("box");
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  const auto list = daemon->sessions.list("box");
  ASSERT_TRUE(list) << list.error().what();
  ASSERT_EQ(list->sessions.size(), 1u);
  EXPECT_EQ(list->sessions[0].session, 1u);
  EXPECT_TRUE(list->sessions[0].agent);
}

TEST_F(SessionsTest, AStoppedSandboxHasNoneAndIsNotStarted) {
  make("box");
  const auto list = daemon->sessions.list("box");
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->sessions.empty());
  auto pair = make_socket_pair();
  const auto attached = daemon->sessions.attach("box", 1, {}, pair->theirs);
  ASSERT_FALSE(attached);
  EXPECT_EQ(attached.error().code(), Code::kNotFound);
  EXPECT_EQ(daemon->sessions.end("box", 1).error().code(), Code::kNotFound);
  EXPECT_EQ(daemon->sessions.list("none").error().code(), Code::kNotFound);
  EXPECT_EQ(status("box"), wire::Status::kStopped);
}

TEST_F(SessionsTest, AttachingGivesTheClientAway) {
  make("box");
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  auto pair = make_socket_pair();
  wire::AttachRequest request;
  request.from = 7;
  request.read_only = true;
  ASSERT_TRUE(daemon->sessions.attach("box", 1, request, pair->theirs));
  pair->theirs.reset();
  const std::string answer = read_all(pair->ours, 4096).value_or("");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 101 ")) << answer;
  EXPECT_TRUE(answer.ends_with(R"({"from":7,"read_only":true})")) << answer;
  auto other = make_socket_pair();
  EXPECT_EQ(daemon->sessions.attach("box", 2, {}, other->theirs).error().code(), Code::kNotFound);
}

TEST_F(SessionsTest, ASessionIsEndedAndToldOf) {
  make("box");
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  const auto ended = daemon->sessions.end("box", 1);
  ASSERT_TRUE(ended) << ended.error().what();
  EXPECT_EQ(ended->state, wire::SessionState::kEnded);
  EXPECT_EQ(ended->exit->code, 129);
}

TEST_F(SessionsTest, AShimOfAnOlderVersionHasNoneAndTheUserIsToldWhatToDo) {
  make("box", "old");
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  const auto list = daemon->sessions.list("box");
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code(), Code::kUnsupported);
  EXPECT_NE(std::string(list.error().what()).find("restart the sandbox to use sessions"), std::string::npos);
  daemon.reset();
  daemon = world.daemon();
  ASSERT_TRUE(daemon->recovery.recover());
  EXPECT_EQ(daemon->sessions.list("box").error().code(), Code::kUnsupported) << "the next daemon knows it, too";
}

}  // namespace
}  // namespace sbx::sandboxes
