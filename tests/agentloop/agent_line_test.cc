// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/agent_line.h"

#include <gtest/gtest.h>

namespace sbx::agentloop {
namespace {

using Words = std::vector<std::string>;

TEST(AgentLine, AsksClaudeForEvents) {
  const auto line = agent_line({"claude", "do it", {"--model", "opus"}});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->command, (Words{"claude", "--dangerously-skip-permissions", "-p", "do it", "--output-format",
                                  "stream-json", "--verbose", "--model", "opus"}));
  EXPECT_EQ(line->dialect, Dialect::kClaude);
}

TEST(AgentLine, GoesOnWithTheLastConversation) {
  EXPECT_EQ(agent_line({"claude", "x", {}, true})->command[2], "--continue");
  const auto codex = agent_line({"codex", "x", {"--model", "m"}, true});
  EXPECT_EQ(codex->command,
            (Words{"codex", "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
                   "--model", "m", "resume", "--last", "x"}));
  EXPECT_EQ(agent_line({"gemini", "x", {}, true})->command,
            (Words{"gemini", "--yolo", "--resume", "latest", "-p", "x"}));
  EXPECT_EQ(agent_line({"crush", "x", {}, true})->command, (Words{"crush", "run", "-q", "--continue", "x"}));
}

TEST(AgentLine, RefusesToGoOnWhereThatIsNotKnown) {
  for (const std::string agent : {"amp", "droid"}) {
    EXPECT_TRUE(agent_line({agent, "x"}));
    EXPECT_EQ(agent_line({agent, "x", {}, true}).error().code(), Code::kInvalid);
  }
  EXPECT_EQ(agent_line({"claude", "x", {"./agent"}, true}).error().code(), Code::kInvalid);
}

TEST(AgentLine, TakesAWholeCommand) {
  const auto line = agent_line({"shell", "x", {"./agent", "-v"}});
  EXPECT_EQ(line->command, (Words{"./agent", "-v", "x"}));
  EXPECT_EQ(line->dialect, Dialect::kText);
}

TEST(AgentLine, RefusesWhatItCannotAsk) {
  EXPECT_FALSE(agent_line({"shell", "x"}));
  EXPECT_FALSE(agent_line({"claude", std::string(200'000, 'x')}));
}

TEST(AgentLine, KnowsAgentsByTheirOtherNames) {
  EXPECT_EQ(agent_called("claude-code"), "claude");
  EXPECT_EQ(agent_called("cursor-agent"), "cursor");
  EXPECT_EQ(agent_called("codex"), "codex");
}

}  // namespace
}  // namespace sbx::agentloop
