// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agents/agents.h"

#include <gtest/gtest.h>

namespace sbx::agents {
namespace {

using Words = std::vector<std::string>;

TEST(Agents, FlagsAreAppendedAndAWordReplacesThem) {
  const Words usual{"claude", "--skip"};
  EXPECT_EQ(command_line("claude", usual, {}), (Words{"claude", "--skip"}));
  EXPECT_EQ(command_line("claude", usual, {"--continue", "x"}), (Words{"claude", "--skip", "--continue", "x"}));
  EXPECT_EQ(command_line("claude", usual, {"-p", "hi"}), (Words{"claude", "--skip", "-p", "hi"}));
  EXPECT_EQ(command_line("claude", usual, {"mcp", "list"}), (Words{"claude", "mcp", "list"}));
}

TEST(Agents, AWordIsACommandWhereTheAgentIsAShell) {
  const Agent& shell = *find("shell");
  EXPECT_EQ(command_line(shell.name, shell.command, {"echo", "hi"}), (Words{"echo", "hi"}));
  EXPECT_EQ(command_line(shell.name, shell.command, {"-c", "echo hi"}), (Words{"bash", "-l", "-c", "echo hi"}));
}

TEST(Agents, EveryAgentHasATemplateAndACommand) {
  for (const Agent& agent : table()) {
    EXPECT_EQ(find(agent.name), &agent);
    EXPECT_FALSE(agent.template_name().empty());
    EXPECT_FALSE(agent.command.empty());
  }
  EXPECT_EQ(find("no-such-agent"), nullptr);
}

}  // namespace
}  // namespace sbx::agents
