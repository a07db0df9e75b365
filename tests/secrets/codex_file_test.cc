// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/codex_file.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace sbx::secrets {
namespace {

// Its claims: {"email":"me@example.com","https://api.openai.com/auth":{"chatgpt_plan_type":"plus"}}
constexpr const char* kUsers = R"({"OPENAI_API_KEY":null,"tokens":{
  "id_token":"aGVhZGVy.eyJlbWFpbCI6Im1lQGV4YW1wbGUuY29tIiwiaHR0cHM6Ly9hcGkub3BlbmFpLmNvbS9hdXRoIjp7ImNoYXRncHRfcGxhbl90eXBlIjoicGx1cyJ9fQ.c2lnbmF0dXJl",
  "access_token":"real-access","refresh_token":"real-refresh","account_id":"acc-1"},"last_refresh":"2026-11-01T00:00:00Z"})";

TEST(CodexFile, HasPlaceholdersForAllTokens) {
  const auto file = codex_file_for_guest(kUsers, "stand-in");
  ASSERT_TRUE(file) << file.error().what();
  const auto json = parse_json(*file);
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["tokens"]["access_token"], "stand-in");
  EXPECT_EQ((*json)["tokens"]["refresh_token"], "stand-in");
  EXPECT_EQ((*json)["tokens"]["account_id"], "acc-1");
  for (const char* word : {"real-access", "real-refresh", "c2lnbmF0dXJl", "me@example.com"})
    EXPECT_EQ(file->find(word), std::string::npos) << word;
}

TEST(CodexFile, KeepsThePlan) {
  const auto with_plan = codex_file_for_guest(kUsers, "stand-in");
  const auto without = codex_file_for_guest(R"({"tokens":{"access_token":"a","account_id":"acc-1"}})", "stand-in");
  ASSERT_TRUE(without) << without.error().what();
  EXPECT_NE(*with_plan, *without);
}

TEST(CodexFile, OfSomethingElseIsRefusedWithoutSayingIt) {
  for (const char* text : {"", "sk-secret", R"({"tokens":"sk-secret"})", R"({"OPENAI_API_KEY":"sk-secret"})"}) {
    const auto file = codex_file_for_guest(text, "stand-in");
    ASSERT_FALSE(file) << text;
    EXPECT_EQ(file.error().what().find("sk-secret"), std::string::npos);
  }
}

}  // namespace
}  // namespace sbx::secrets
