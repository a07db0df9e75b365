// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/ralph_agents.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "base/text.h"
#include "support/temporary_directory.h"

namespace sbx::agentloop {
namespace {

TEST(RalphAgents, AreKnownByEitherName) {
  for (const std::string& name : split(std::string(kRalphAgents), ','))
    EXPECT_TRUE(is_ralph_agent(std::string(trimmed(name)))) << name;
  EXPECT_TRUE(is_ralph_agent("claude"));
  for (const char* name : {"gemini", "shell", ""}) EXPECT_FALSE(is_ralph_agent(name)) << name;
}

TEST(RalphAgents, OfTheConfigurationThatWeWriteAreOurs) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(write_file(directory / "agents.json", usual_ralph_config()));
  const auto agents = RalphAgents::read(directory / "agents.json");
  ASSERT_TRUE(agents) << agents.error().what();
  EXPECT_EQ(agents->named("claude-code")->agent, "claude");
  EXPECT_EQ(agents->named("cursor-agent")->program, "cursor-agent");
  ::setenv("RALPH_CLAUDE_BINARY", "/opt/claude", 1);
  EXPECT_EQ(agents->named("claude-code")->program, "/opt/claude") << "a variable counts more than the file";
  ::unsetenv("RALPH_CLAUDE_BINARY");
}

}  // namespace
}  // namespace sbx::agentloop
