// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/claude_file.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace sbx::secrets {
namespace {

TEST(ClaudeFile, HasPlaceholdersForTokensAndThePlanAsItIs) {
  const auto text = claude_file_for_guest(R"({"claudeAiOauth":{"accessToken":"secret-a","refreshToken":"secret-r",
    "expiresAt":1,"scopes":["user:inference",7],"subscriptionType":"max","rateLimitTier":"t","organizationUuid":"secret-o"},
    "mcpOAuth":{"token":"secret-m"}})",
                                          "stand-in");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find("secret"), std::string::npos);
  const auto login = (*parse_json(*text))["claudeAiOauth"];
  EXPECT_EQ(login["accessToken"], "stand-in");
  EXPECT_EQ(login["refreshToken"], "stand-in");
  EXPECT_GT(login["expiresAt"], 4'000'000'000'000);
  EXPECT_EQ(login["scopes"], Json::array({"user:inference"}));
  EXPECT_EQ(login["subscriptionType"], "max");
}

TEST(ClaudeFile, IsNotMadeOfAnythingElse) {
  for (const char* text : {"", "sk-secret", R"({"claudeAiOauth":"sk-secret"})", R"({"tokens":{}})"}) {
    const auto file = claude_file_for_guest(text, "stand-in");
    ASSERT_FALSE(file) << text;
    EXPECT_EQ(file.error().what().find("sk-secret"), std::string::npos);
  }
}

}  // namespace
}  // namespace sbx::secrets
