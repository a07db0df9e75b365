// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agents/catalogue.h"

#include <gtest/gtest.h>

#include "agents/recipe.h"

namespace sbx::agents {
namespace {

std::string why_not(const std::string& agent) {
  const auto catalogue = Catalogue::parse("{\"agents\": [" + agent + "]}");
  return catalogue ? "" : catalogue.error().what();
}

TEST(Catalogue, HasOursAndTheUsersOwn) {
  const auto catalogue = Catalogue::parse(R"({"agents": [
    {"name": "mine", "command": ["mine", "--yes"], "package": "@me/mine", "version": "1.2.0",
     "files": [{"path": ".mine/config", "content": "a=1"}], "environment": {"A": "two words"}},
    {"name": "theirs", "command": ["theirs"], "template": "org/theirs:1"}]})");
  ASSERT_TRUE(catalogue) << catalogue.error().what();
  EXPECT_NE(catalogue->find("claude"), nullptr);
  EXPECT_EQ(catalogue->find("mine")->template_name(), "mine");
  EXPECT_EQ(catalogue->find("theirs")->template_name(), "org/theirs:1");
  const std::string text = dockerfile_of({"mine", ""}, *catalogue);
  EXPECT_NE(text.find("@me/mine@1.2.0"), std::string::npos) << text;
  EXPECT_NE(text.find("/home/agent/.mine/config\na=1\nEOF\n"), std::string::npos) << text;
  EXPECT_NE(text.find("ENV A=\"two words\"\n"), std::string::npos) << text;
  EXPECT_TRUE(parse_recipe_name("mine:2", *catalogue));
  EXPECT_FALSE(parse_recipe_name("theirs", *catalogue));
}

TEST(Catalogue, WhatMeansNothingIsRefusedByName) {
  EXPECT_NE(why_not(R"({"name": "claude", "command": ["x"]})").find("one of ours"), std::string::npos);
  EXPECT_NE(why_not(R"({"name": "Mine", "command": ["x"]})").find("small letters"), std::string::npos);
  EXPECT_NE(why_not(R"({"name": "mine", "command": []})").find("command"), std::string::npos);
  EXPECT_NE(why_not(R"({"name": "mine", "command": ["x"], "package": "a"})").find("version"), std::string::npos);
  EXPECT_NE(why_not(R"({"name": "mine", "command": ["x"], "install": "a", "template": "b"})").find("several"),
            std::string::npos);
  EXPECT_NE(why_not(R"({"name": "mine", "command": ["x"], "shell": "x"})").find("shell"), std::string::npos);
  EXPECT_NE(why_not(R"({"name": "mine", "command": ["x"], "package": "a; b", "version": "1"})").find("no package"),
            std::string::npos);
  EXPECT_NE(why_not(R"({"name": "mine", "command": ["x"], "install": "a\nEOF\nUSER x"})").find("EOF"),
            std::string::npos);
  EXPECT_NE(why_not(R"({"name": "mine", "command": ["x"], "environment": {"A B": "1"}})").find("variable"),
            std::string::npos);
  for (const char* path : {"../x", "/etc/passwd", "a//b", "a b"})
    EXPECT_NE(why_not(std::string(R"({"name": "mine", "command": ["x"], "files": [{"content": "", "path": ")") + path +
                      "\"}]}")
                  .find("no path"),
              std::string::npos)
        << path;
}

TEST(Catalogue, AFileThatIsNotThereAddsNone) {
  EXPECT_EQ(Catalogue::read("/nonexistent/agents.json")->all().size(), table().size());
}

}  // namespace
}  // namespace sbx::agents
