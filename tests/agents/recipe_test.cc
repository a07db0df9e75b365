// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agents/recipe.h"

#include <gtest/gtest.h>

#include <chrono>

#include "agents/agents.h"
#include "base/child.h"

namespace sbx::agents {
namespace {

TEST(RecipeName, IsAnAgentWithOrWithoutAVersion) {
  EXPECT_EQ(parse_recipe_name("claude", {})->agent, "claude");
  EXPECT_EQ(parse_recipe_name("claude:2.1.300", {})->version, "2.1.300");
  EXPECT_EQ(parse_recipe_name("agent-base", {})->agent, "agent-base");
}

TEST(RecipeName, IsNoImageOfAnyoneElses) {
  for (const char* text : {"shell", "ubuntu", "docker.io/library/claude", "org/claude", "claude:", "claude:1;rm -rf /",
                           "claude@sha256:0", "agent-base:1", "cursor:1", ""})
    EXPECT_FALSE(parse_recipe_name(text, {})) << text;
}

TEST(Recipe, EachAgentHasOneThatIsPinned) {
  for (const Agent& agent : table()) {
    if (!agent.has_recipe()) continue;
    const std::string text = dockerfile_of({agent.name, ""}, {});
    EXPECT_TRUE(text.starts_with("FROM agent-base\n")) << agent.name;
    EXPECT_TRUE(agent.package.empty() || text.find(agent.package + "@" + agent.version) != std::string::npos) << text;
    EXPECT_NE(text.find("USER agent\nCMD [\"" + agent.command.front() + "\""), std::string::npos) << text;
  }
}

TEST(Recipe, AnotherVersionTakesThePlaceOfThePinnedOne) {
  const std::string text = dockerfile_of({"codex", "1.2.3"}, {});
  EXPECT_NE(text.find("@openai/codex@1.2.3 "), std::string::npos);
  EXPECT_EQ(text.find(find("codex")->version), std::string::npos);
}

TEST(Recipe, OfOursStandsOnAnAgentAndChangesWithItsVersion) {
  const auto ralph = parse_recipe_name("ralph", {});
  ASSERT_TRUE(ralph);
  EXPECT_EQ(agent_in(*ralph), "claude");
  EXPECT_TRUE(dockerfile_of(*ralph, {}).starts_with("FROM claude\n"));
  EXPECT_NE(dockerfile_of({"ralph", "1"}, {}), dockerfile_of({"ralph", "2"}, {}));
  EXPECT_FALSE(parse_recipe_name("ralph:1", {}));
  EXPECT_FALSE(Catalogue::parse(R"({"agents": [{"name": "ralph", "command": ["x"]}]})"));
}

TEST(Recipe, NamesThePackagesThatADistributionDoesNotHave) {
  const std::string text = dockerfile_of({std::string(kCommonTemplate), ""}, {});
  const auto begin = text.find("wanted="), end = text.find("apt-get install");
  ASSERT_TRUE(begin < end && end != std::string::npos);
  const std::string script = "apt-cache() { case $2 in docker-buildx|docker-cli|gh) return 1;; esac; }\n" +
                             text.substr(begin, end - begin) + "echo wanted:$wanted";
  const auto ran = run({.argv = {"bash", "-euc", script}}, std::chrono::seconds(60));
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->out,
            "left out, because the distribution does not have it: docker-buildx gh\n"
            "wanted: build-essential docker.io docker-compose iptables make python3-pip python3-venv vim-tiny\n");
}

// The here-document of a file must end where it ends.
TEST(Recipe, FilesOfTheConfigurationEndWithALine) {
  for (const Agent& agent : table())
    for (const ConfigFile& file : agent.files) {
      EXPECT_TRUE(file.content.ends_with('\n')) << agent.name << " " << file.path;
      EXPECT_EQ(("\n" + file.content).find("\nEOF\n"), std::string::npos) << agent.name << " " << file.path;
    }
}

}  // namespace
}  // namespace sbx::agents
