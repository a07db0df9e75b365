// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/oauth_record.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "secrets/web_token.h"

namespace sbx::secrets {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr const char* kClaude = R"({"claudeAiOauth":{"accessToken":"a1","refreshToken":"r1","expiresAt":1800000000000,
  "scopes":["user:inference","user:profile"],"subscriptionType":"max"},"mcpOAuth":{"x":1}})";
constexpr const char* kCodex = R"({"OPENAI_API_KEY":null,"tokens":{"access_token":"opaque","refresh_token":"r1",
  "id_token":"i1","account_id":"acc"},"last_refresh":"2026-11-10T08:00:00.123456789Z"})";

std::string codex_with(const std::string& access_token) {
  return dump(Json{{"tokens", {{"access_token", access_token}, {"refresh_token", "r1"}}}});
}

TEST(OAuthRecord, OfClaudeSaysWhenItExpiresAndWithWhichScopes) {
  const auto record = oauth_record_in(kClaude);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->form, ValueForm::kClaude);
  EXPECT_EQ(record->refresh_token, "r1");
  EXPECT_EQ(record->scopes, (std::vector<std::string>{"user:inference", "user:profile"}));
  EXPECT_EQ(record->expires_at, WallTime(seconds(1'800'000'000)));
}

TEST(OAuthRecord, OfCodexExpiresWithItsTokenOrEightDaysAfterTheLastRefresh) {
  const auto with_claim = oauth_record_in(codex_with(unsigned_token(Json{{"exp", 1'800'000'000}}, "s")));
  EXPECT_EQ(with_claim->expires_at, WallTime(seconds(1'800'000'000)));
  const auto opaque = oauth_record_in(kCodex);
  EXPECT_EQ(opaque->form, ValueForm::kCodexFile);
  EXPECT_EQ(opaque->expires_at, *parse_rfc3339("2026-11-10T08:00:00Z") + hours(8 * 24));
  EXPECT_EQ(oauth_record_in(codex_with("opaque"))->expires_at, std::nullopt);
}

TEST(OAuthRecord, IsNothingElse) {
  for (const char* text : {"", "sk-ant-oat01-x", "sk-ant-api03-x", "{", R"({"claudeAiOauth":1})",
                           R"({"claudeAiOauth":{}})", R"({"claudeAiOauth":{"accessToken":7}})",
                           R"({"tokens":["access_token"]})", R"({"tokens":{"access_token":""}})"})
    EXPECT_FALSE(oauth_record_in(text)) << text;
}

TEST(OAuthRecord, HasNoTimeThatCannotBe) {
  for (const char* time : {"-1", "1e300", "9223372036854775807", "\"1800000000000\"", "null"}) {
    const auto record = oauth_record_in(
        std::string(R"({"claudeAiOauth":{"accessToken":"a","refreshToken":"r","expiresAt":)") + time + "}}");
    ASSERT_TRUE(record) << time;
    EXPECT_EQ(record->expires_at, std::nullopt) << time;
  }
}

TEST(OAuthRecord, TakesNewTokensAndKeepsTheRest) {
  const WallTime time{seconds(1'700'000'000)};
  const auto claude = parse_json(with_new_tokens(kClaude, {"a2", "r2", "", seconds(3600)}, time));
  EXPECT_EQ((*claude)["claudeAiOauth"]["accessToken"], "a2");
  EXPECT_EQ((*claude)["claudeAiOauth"]["refreshToken"], "r2");
  EXPECT_EQ((*claude)["claudeAiOauth"]["expiresAt"], 1'700'003'600'000);
  EXPECT_EQ((*claude)["claudeAiOauth"]["subscriptionType"], "max");
  EXPECT_EQ((*claude)["mcpOAuth"]["x"], 1);
  const auto codex = parse_json(with_new_tokens(kCodex, {"a2", "", "i2", {}}, time));
  EXPECT_EQ((*codex)["tokens"]["access_token"], "a2");
  EXPECT_EQ((*codex)["tokens"]["refresh_token"], "r1");
  EXPECT_EQ((*codex)["tokens"]["id_token"], "i2");
  EXPECT_EQ((*codex)["tokens"]["account_id"], "acc");
  EXPECT_EQ((*codex)["last_refresh"], rfc3339(time));
}

TEST(OAuthRecord, IsHandedOutWithoutWhatWouldUseItUp) {
  const std::string claude = without_refresh_token(kClaude);
  EXPECT_EQ(claude.find("r1"), std::string::npos);
  EXPECT_NE(claude.find("a1"), std::string::npos);
  EXPECT_EQ(without_refresh_token(kCodex).find("r1"), std::string::npos);
  const std::string plain = "{\n \"tokens\": {\"access_token\": \"t\"}\n}";
  EXPECT_EQ(without_refresh_token(plain), plain);
  EXPECT_EQ(without_refresh_token("sk-r1"), "sk-r1");
}

TEST(NewTokens, AreReadFromWhatAnEndpointAnswers) {
  const auto tokens = new_tokens_in(R"({"access_token":"a2","refresh_token":"r2","expires_in":28800,"more":{}})");
  ASSERT_TRUE(tokens);
  EXPECT_EQ(tokens->access_token, "a2");
  EXPECT_EQ(tokens->refresh_token, "r2");
  EXPECT_EQ(tokens->expires_in, seconds(28800));
  EXPECT_EQ(new_tokens_in(R"({"access_token":"a2","expires_in":9223372036854775807})")->expires_in,
            seconds(366 * 24 * 3600));
}

TEST(NewTokens, AreNotInWhatNoHeaderCanCarryAndNoErrorRepeatsIt) {
  for (const std::string& text :
       {std::string("<html>secret"), std::string("[]"), std::string("{}"), std::string(R"({"access_token":1})"),
        std::string(R"({"access_token":"secret\r\nX: y"})"),
        std::string(R"({"access_token":"a","refresh_token":"secret \u0000"})"),
        R"({"access_token":")" + std::string(20000, 'x') + "\"}"}) {
    const auto tokens = new_tokens_in(text);
    ASSERT_FALSE(tokens) << text.substr(0, 60);
    EXPECT_EQ(tokens.error().what().find("secret"), std::string::npos);
  }
}

}  // namespace
}  // namespace sbx::secrets
