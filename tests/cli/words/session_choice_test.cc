// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/session_choice.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

wire::SessionInfo used_session(wire::SessionNumber number, const std::string& used_at, int clients = 0,
                               bool agent = true) {
  wire::SessionInfo info;
  info.session = number;
  info.command = {"claude"};
  info.used_at = used_at;
  info.clients = clients;
  info.agent = agent;
  return info;
}

wire::SessionInfo ended_session(wire::SessionInfo info) {
  info.state = wire::SessionState::kEnded;
  return info;
}

TEST(SessionChoice, TheOneUsedLastIsMeant) {
  EXPECT_FALSE(session_to_attach({}));
  EXPECT_EQ(session_to_attach({used_session(1, "2026-11-02"), used_session(2, "2026-11-01")})->session, 1u);
  EXPECT_EQ(session_to_attach({used_session(1, "2026-11-01"), used_session(2, "2026-11-01")})->session, 2u);
}

TEST(SessionChoice, OneThatRunsBeforeOneThatHasEndedAndOneThatIsAloneBeforeOneInUse) {
  EXPECT_EQ(session_to_attach({used_session(1, "2026-11-01"), ended_session(used_session(2, "2026-11-02"))})->session,
            1u);
  EXPECT_EQ(session_to_attach({used_session(1, "2026-11-01"), used_session(2, "2026-11-02", 1)})->session, 1u);
  EXPECT_EQ(
      session_to_attach({used_session(1, "2026-11-01", 1), ended_session(used_session(2, "2026-11-02"))})->session, 1u);
  EXPECT_EQ(
      session_to_attach({ended_session(used_session(1, "2026-11-01")), ended_session(used_session(2, "2026-11-02"))})
          ->session,
      2u);
}

TEST(SessionChoice, RunGoesBackToTheAgentAndToNothingElse) {
  const std::vector<std::string> claude = {"claude"};
  auto found = agent_sessions({used_session(1, "2026-11-01"), used_session(2, "2026-11-02", 0, false),
                               ended_session(used_session(3, "2026-11-03")), used_session(4, "2026-11-04", 1)},
                              claude);
  ASSERT_TRUE(found.left);
  EXPECT_EQ(found.left->session, 1u);
  ASSERT_TRUE(found.elsewhere);
  EXPECT_EQ(found.elsewhere->session, 4u);
  found = agent_sessions({used_session(1, "2026-11-01")}, {"claude", "--resume"});
  EXPECT_FALSE(found.left) << "another command line is another session";
}

TEST(SessionChoice, ANumberIsANumber) {
  EXPECT_EQ(*parse_session("12"), 12u);
  for (const char* text : {"", "0", "-1", "x", "1x", "4294967296", "99999999999999999999"})
    EXPECT_FALSE(parse_session(text)) << text;
}

}  // namespace
}  // namespace sbx::cli
