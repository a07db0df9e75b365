// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agents/agents.h"

#include <gtest/gtest.h>

#include "agents/catalogue.h"
#include "agents/guidance.h"

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

TEST(Agents, AnAliasIsTheSameAgent) {
  EXPECT_EQ(find("docker-agent"), find("cagent"));
  EXPECT_EQ(Catalogue().find("docker-agent")->name, "cagent");
  EXPECT_EQ(find(""), nullptr);
}

TEST(Agents, EveryAgentHasATemplateAndACommand) {
  for (const Agent& agent : table()) {
    EXPECT_EQ(find(agent.name), &agent);
    EXPECT_FALSE(agent.template_name().empty());
    EXPECT_FALSE(agent.command.empty());
  }
  EXPECT_EQ(find("no-such-agent"), nullptr);
}

TEST(Guidance, IsAPageThatSaysWhereItIsAndWhatARefusalIs) {
  for (const char* word : {"sandbox", "403", "--allow-host", "WORKSPACE_DIR", "proxy-managed"})
    EXPECT_NE(guidance().find(word), std::string_view::npos) << word;
  EXPECT_LT(guidance().size(), 4000u);
  for (const char* agent : {"claude", "codex", "gemini", "opencode", "copilot"})
    EXPECT_FALSE(find(agent)->guidance.empty()) << agent;
}

// Documents and trees are taken as they are: none of them is where an agent keeps its logins.
TEST(Agents, NoConfigurationThatIsTakenWholeIsALogin) {
  for (const Agent& agent : table())
    for (const ConfigRule& rule : agent.config)
      for (const char* word : {"auth", "cred", "token", "json", "toml"})
        EXPECT_TRUE(!rule.keys.empty() || !rule.servers.empty() || rule.path.find(word) == std::string::npos)
            << rule.path;
}

}  // namespace
}  // namespace sbx::agents
