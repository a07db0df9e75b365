// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "userconfig/user_config.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "support/temporary_directory.h"
#include "userconfig/toml.h"

namespace sbx::userconfig {
namespace {

class UserConfigTest : public ::testing::Test {
 protected:
  void put(const std::string& path, const std::string& content, unsigned mode = 0644) const {
    ASSERT_TRUE(make_directories((home_ / path).substr(0, (home_ / path).rfind('/'))));
    ASSERT_TRUE(write_file(home_ / path, content, mode));
  }
  UserConfig collected(const std::string& agent) const {
    const auto home = open_path(home_.path(), O_PATH | O_DIRECTORY);
    EXPECT_TRUE(home);
    return collect(*home, *agents::find(agent), {"/work"});
  }
  static const TakenFile* find(const UserConfig& config, const std::string& path) {
    const auto found = std::ranges::find(config.files, path, &TakenFile::path);
    return found == config.files.end() ? nullptr : &*found;
  }
  static bool has_line(const std::vector<std::string>& lines, const std::string& part) {
    return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(part) != std::string::npos; });
  }
  testing::TemporaryDirectory home_;
};

TEST_F(UserConfigTest, OfClaudeIsWhatIsListedOnTopOfNothingThatWouldAsk) {
  put(".claude/CLAUDE.md", "Be brief.\n");
  put(".claude/commands/review/deep.md", "Review.\n");
  put(".claude/skills/pdf/run.sh", "#!/bin/sh\n", 0755);
  put(".claude/settings.json", R"({"model": "opus", "env": {"X": "1"}, "permissions": {"defaultMode": "plan"}})");
  put(".claude.json", R"({"oauthAccount": {"accountUuid": "u"}, "mcpServers": {"files": {"command": "npx"}}})");
  put(".claude/.credentials.json", R"({"claudeAiOauth": {"accessToken": "x"}})");
  const UserConfig config = collected("claude");
  EXPECT_EQ(find(config, ".claude/CLAUDE.md")->content, "Be brief.\n");
  EXPECT_NE(find(config, ".claude/commands/review/deep.md"), nullptr);
  EXPECT_TRUE(find(config, ".claude/skills/pdf/run.sh")->executable);
  const Json settings = *parse_json(find(config, ".claude/settings.json")->content);
  EXPECT_EQ(settings["model"], "opus");
  EXPECT_EQ(settings["permissions"]["defaultMode"], "bypassPermissions");
  EXPECT_FALSE(settings.contains("env"));
  const Json state = *parse_json(find(config, ".claude.json")->content);
  EXPECT_EQ(state["mcpServers"]["files"]["command"], "npx");
  EXPECT_EQ(state["hasCompletedOnboarding"], true);
  EXPECT_FALSE(state.contains("oauthAccount"));
  for (const TakenFile& file : config.files) EXPECT_EQ(file.path.find("credentials"), std::string::npos);
  EXPECT_TRUE(has_line(config.left, ".claude/settings.json: env: it is not on the list"));
  EXPECT_TRUE(has_line(config.taken, ".claude/commands (1 file)"));
}

TEST_F(UserConfigTest, OfCodexIsTomlWithoutProvidersAndTheirKeys) {
  put(".codex/config.toml",
      "model = \"gpt\"\napproval_policy = \"on-request\"\n[model_providers.x]\nbase_url = \"https://x\"\n"
      "[mcp_servers.a]\ncommand = \"npx\"\n[mcp_servers.b]\nurl = \"https://b\"\n");
  put(".codex/auth.json", R"({"OPENAI_API_KEY": "x"})");
  const UserConfig config = collected("codex");
  ASSERT_EQ(config.files.size(), 1u);
  const Json settings = *parse_toml(config.files[0].content);
  EXPECT_EQ(settings["model"], "gpt");
  EXPECT_EQ(settings["approval_policy"], "never");
  EXPECT_TRUE(settings["mcp_servers"].contains("a"));
  EXPECT_FALSE(settings["mcp_servers"].contains("b"));
  EXPECT_FALSE(settings.contains("model_providers"));
}

TEST_F(UserConfigTest, FollowsNoLink) {
  testing::TemporaryDirectory outside;
  ASSERT_TRUE(write_file(outside / "id_rsa.md", "secret\n"));
  put(".claude/commands/good.md", "x\n");
  ASSERT_EQ(::symlink((outside / "id_rsa.md").c_str(), (home_ / ".claude/CLAUDE.md").c_str()), 0);
  ASSERT_EQ(::symlink((outside / "id_rsa.md").c_str(), (home_ / ".claude/commands/bad.md").c_str()), 0);
  ASSERT_EQ(::symlink(outside.path().c_str(), (home_ / ".claude/agents").c_str()), 0);
  const UserConfig config = collected("claude");
  ASSERT_EQ(config.files.size(), 1u);
  EXPECT_EQ(config.files[0].path, ".claude/commands/good.md");
  EXPECT_TRUE(has_line(config.left, ".claude/commands/bad.md: it is a link"));
  EXPECT_TRUE(has_line(config.left, ".claude/CLAUDE.md"));
  EXPECT_TRUE(has_line(config.left, ".claude/agents"));
}

TEST_F(UserConfigTest, LeavesWhatIsTooLargeHiddenOddOrHoldsAKey) {
  put(".claude/CLAUDE.md", std::string("token: ghp_") + "abcdefghijklmnopqrstuvwxyz0123456789\n");
  put(".claude/commands/large.md", std::string((1u << 20) + 1, 'x'));
  put(".claude/commands/.hidden.md", "x");
  put(".claude/commands/program", "x");
  put(".claude/commands/api-token.txt", "x");
  ASSERT_EQ(::mkfifo((home_ / ".claude/commands/pipe.md").c_str(), 0600), 0);
  const UserConfig config = collected("claude");
  EXPECT_TRUE(config.files.empty());
  for (const char* part :
       {"there is a key in it", "larger than 1 MiB", "hidden", "no document", "it may hold keys", "it is no file"})
    EXPECT_TRUE(has_line(config.left, part)) << part;
}

TEST_F(UserConfigTest, OfSettingsThatCannotBeReadTakesNothing) {
  put(".claude/settings.json", "{\"model\": ");
  const UserConfig config = collected("claude");
  EXPECT_TRUE(config.files.empty());
  EXPECT_TRUE(has_line(config.left, "it cannot be read"));
}

TEST_F(UserConfigTest, OfAnEmptyHomeIsNothing) {
  for (const agents::Agent& agent : agents::table()) {
    const UserConfig config = collected(agent.name);
    EXPECT_TRUE(config.files.empty() && config.taken.empty() && config.left.empty()) << agent.name;
  }
}

}  // namespace
}  // namespace sbx::userconfig
