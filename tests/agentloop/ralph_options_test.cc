// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/ralph_options.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::agentloop {
namespace {

class RalphOptionsTest : public ::testing::Test {
 protected:
  Result<RalphOptions> options(std::vector<std::string> words) {
    words.insert(words.begin(), "do it");
    const auto arguments = parse_flags(words, all_of({ralph_flags()}), Grammar::kSplitAtDashes);
    EXPECT_TRUE(arguments);
    return ralph_options(*arguments, "/work");
  }
  std::string file(const std::string& name, const std::string& content) {
    EXPECT_TRUE(replace_file(directory_ / name, content));
    return directory_ / name;
  }
  sbx::testing::TemporaryDirectory directory_;
};

TEST_F(RalphOptionsTest, ARotationIsAskedInTurnInsteadOfTheAgent) {
  const auto made = options({"--rotation", "claude-code:opus, codex", "--agent", "opencode", "--model", "m"});
  ASSERT_TRUE(made) << made.error().what();
  EXPECT_EQ(made->settings.choice(1).agent, "claude");
  EXPECT_EQ(made->settings.choice(1).model, "opus");
  EXPECT_EQ(made->settings.choice(2).agent, "codex");
  EXPECT_EQ(made->settings.choice(2).model, "");
  EXPECT_EQ(made->settings.choice(3).agent, "claude");
  EXPECT_TRUE(made->settings.arguments.empty()) << "--model is the agent's that is not asked";
  for (const char* bad : {"nobody:x", "claude-code:a,,codex:b", ""}) EXPECT_FALSE(options({"--rotation", bad})) << bad;
}

TEST_F(RalphOptionsTest, AnAgentOfTheUsersOwnIsAskedLikeOneOfOurs) {
  const std::string config =
      file("agents.json", R"({"version":"1.0","agents":[{"type":"mine","command":"/bin/mine","argsTemplate":"codex"},
                              {"type":"codex","command":"other-codex"},{"type":"odd","command":"x","argsTemplate":"y"}]})");
  const auto mine = options({"--config", config, "--agent", "mine"});
  ASSERT_TRUE(mine) << mine.error().what();
  EXPECT_EQ(mine->settings.agent, "codex");
  EXPECT_EQ(mine->settings.program, "/bin/mine");
  EXPECT_EQ(options({"--config", config, "--agent", "codex"})->settings.program, "other-codex");
  EXPECT_FALSE(options({"--config", config, "--agent", "odd"}));
  EXPECT_FALSE(options({"--config", file("bad.json", "{}"), "--agent", "mine"}));
  EXPECT_FALSE(options({"--config", "/none", "--agent", "mine"}));
}

TEST_F(RalphOptionsTest, ATemplateHasToSaySomething) {
  EXPECT_EQ(options({"--agent", "codex", "--prompt-template", file("t", "{{prompt}}")})->settings.prompt_template,
            "{{prompt}}");
  EXPECT_FALSE(options({"--agent", "codex", "--prompt-template", file("empty", " \n")}));
  EXPECT_FALSE(options({"--agent", "codex", "--prompt-template", "/none"}));
}

}  // namespace
}  // namespace sbx::agentloop
