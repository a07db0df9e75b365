// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/captured_login.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace sbx::cli {
namespace {

std::string claude_file(const std::string& members) { return R"({"claudeAiOauth":{)" + members + "}}"; }

TEST(CapturedLogin, OfClaudeIsMadeOfItsPartsAndNothingElse) {
  const auto login =
      claude_login_in(R"({"claudeAiOauth":{"accessToken":"sk-ant-oat01-a","refreshToken":"sk-ant-ort01-r",
    "expiresAt":1800000000000,"scopes":["user:inference"],"subscriptionType":"max","rateLimitTier":null,"more":{"x":1}},
    "mcpOAuth":{"y":2}})");
  ASSERT_TRUE(login) << login.error().what();
  EXPECT_EQ(*parse_json(*login), (Json{{"claudeAiOauth",
                                        {{"accessToken", "sk-ant-oat01-a"},
                                         {"refreshToken", "sk-ant-ort01-r"},
                                         {"expiresAt", 1800000000000},
                                         {"scopes", {"user:inference"}},
                                         {"subscriptionType", "max"}}}}));
}

TEST(CapturedLogin, OfCodexIsMadeOfItsPartsAndNothingElse) {
  const auto login = codex_login_in(R"({"OPENAI_API_KEY":"sk-no","tokens":{"access_token":"a.b.c","refresh_token":"r",
    "id_token":"i.j.k","account_id":"acc-1","evil":[]},"last_refresh":"2026-11-10T08:00:00.123456789Z"})");
  ASSERT_TRUE(login) << login.error().what();
  EXPECT_EQ(*parse_json(*login),
            (Json{{"tokens",
                   {{"access_token", "a.b.c"}, {"refresh_token", "r"}, {"id_token", "i.j.k"}, {"account_id", "acc-1"}}},
                  {"last_refresh", "2026-11-10T08:00:00.000Z"}}));
}

TEST(CapturedLogin, IsRefusedIfAPartIsNotWhatItShouldBeAndNoErrorRepeatsIt) {
  for (const std::string& members :
       {std::string(R"("refreshToken":"evil")"), std::string(R"("accessToken":"")"),
        std::string(R"("accessToken":["evil"])"), std::string(R"("accessToken":"evil\r\nX-Evil: 1")"),
        std::string(R"("accessToken":"evil\u0000")"), R"("accessToken":")" + std::string(20000, 'e') + "\"",
        std::string(R"("accessToken":"a","refreshToken":"evil evil")"), std::string(R"x("accessToken":"$(evil)")x"),
        std::string(R"("accessToken":"`evil`")"), std::string(R"("accessToken":"a;evil")"),
        std::string(R"("accessToken":"a","expiresAt":-1)"), std::string(R"("accessToken":"a","expiresAt":1e300)"),
        std::string(R"("accessToken":"a","expiresAt":"evil")"), std::string(R"("accessToken":"a","scopes":"evil")"),
        std::string(R"("accessToken":"a","scopes":["evil evil"])"),
        std::string(R"("accessToken":"a","scopes":[["evil"]])"),
        std::string(R"("accessToken":"a","subscriptionType":"\u001b[31mevil")")}) {
    const auto login = claude_login_in(claude_file(members));
    ASSERT_FALSE(login) << members.substr(0, 80);
    EXPECT_EQ(login.error().code(), Code::kInvalid);
    EXPECT_EQ(login.error().what().find("evil"), std::string::npos) << login.error().what();
  }
  EXPECT_FALSE(codex_login_in(R"({"tokens":{"access_token":"a","account_id":"../../evil"}})"));
}

TEST(CapturedLogin, ItsTokensHaveTheCharactersOfBearerTokens) {
  for (const char* token : {"sk-ant-oat01-Ab_9-x", "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.a-b_c", "rt_1.a~b+c/d=="})
    EXPECT_TRUE(claude_login_in(claude_file(R"("accessToken":")" + std::string(token) + "\""))) << token;
}

TEST(CapturedLogin, SaysWhatAFileIsThatHasNone) {
  EXPECT_EQ(claude_login_in("").error().code(), Code::kInvalid);
  EXPECT_EQ(claude_login_in("[[[[").error().code(), Code::kInvalid);
  EXPECT_EQ(claude_login_in("{}").error().code(), Code::kNotFound);
  EXPECT_EQ(claude_login_in(R"({"claudeAiOauth":7})").error().code(), Code::kNotFound);
  EXPECT_EQ(codex_login_in(R"({"OPENAI_API_KEY":"sk-x","tokens":null})").error().code(), Code::kNotFound);
  EXPECT_EQ(claude_login_in(std::string(kLargestLogin + 1, ' ')).error().code(), Code::kTooLarge);
}

TEST(CapturedLogin, IsNotWhatWeHavePutThere) {
  EXPECT_EQ(claude_login_in(claude_file(R"("accessToken":"sk-ant-oat01-managed-by-the-proxy")")).error().code(),
            Code::kConflict);
  EXPECT_EQ(codex_login_in(R"({"tokens":{"access_token":"codex-managed-by-the-proxy"}})").error().code(),
            Code::kConflict);
}

TEST(CapturedLogin, IsOfClaudeOrCodex) {
  EXPECT_EQ(login_kind("claude")->service, "anthropic");
  EXPECT_EQ(login_kind("codex")->path, ".codex/auth.json");
  EXPECT_FALSE(login_kind("gemini"));
}

}  // namespace
}  // namespace sbx::cli
