// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/services.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/text.h"
#include "secrets/token.h"

namespace sbx::secrets {
namespace {

TEST(Services, AreThoseOfTheTable) {
  EXPECT_EQ(join(service_names(), " "),
            "anthropic openai github google xai groq mistral openrouter nebius cursor amp droid");
}

TEST(Services, EachNameAndVariableMeansOne) {
  std::set<std::string> names;
  std::set<std::string> variables;
  for (const Service& service : services()) {
    for (const std::string& name : service.secret_names) EXPECT_TRUE(names.insert(name).second) << name;
    for (const std::string& name : service.host_variables) EXPECT_TRUE(variables.insert(name).second) << name;
  }
}

TEST(Services, AHostBelongsToOneServiceAndIsWrittenInLowerCase) {
  std::map<std::string, std::string> owners;
  for (const Service& service : services())
    for (const Place& place : service.places)
      for (const std::string& host : place.hosts) {
        const auto [owner, is_new] = owners.emplace(host, service.name);
        EXPECT_EQ(owner->second, service.name) << host;
        for (const char c : host) EXPECT_TRUE(c == '.' || c == '-' || std::islower(c) || std::isdigit(c)) << host;
      }
}

TEST(Services, NoPlaceholderIsPartOfAnother) {
  for (const Service& a : services())
    for (const Service& b : services()) {
      if (a.placeholder == b.placeholder || a.placeholder.empty()) continue;
      EXPECT_EQ(b.placeholder.find(a.placeholder), std::string::npos);
    }
}

TEST(Services, GitHubIsBearerForTheApiAndBasicForGit) {
  const Service* github = service_of_secret("GH_TOKEN");
  ASSERT_NE(github, nullptr);
  EXPECT_EQ(github->places[0].hosts[0], "api.github.com");
  EXPECT_EQ(github->places[0].prefix, "Bearer ");
  EXPECT_EQ(github->places[1].hosts[0], "github.com");
  EXPECT_EQ(github->places[1].basic_user, "x-access-token");
}

TEST(Token, IsTheAccessTokenOfAFile) {
  EXPECT_EQ(*token_of(ValueForm::kPlain, "key"), "key");
  EXPECT_EQ(*token_of(ValueForm::kClaude, "sk-ant-oat01-a"), "sk-ant-oat01-a");
  EXPECT_EQ(*token_of(ValueForm::kClaude, R"({"claudeAiOauth":{"accessToken":"sk-a","refreshToken":"r"}})"), "sk-a");
  EXPECT_EQ(*token_of(ValueForm::kCodexFile, R"({"tokens":{"access_token":"jwt"}})"), "jwt");
}

TEST(Token, ThatNoHeaderCanCarryIsRefusedWithoutSayingIt) {
  for (const char* value : {"sk-two\nlines", ""}) {
    const auto token = token_of(ValueForm::kPlain, value);
    ASSERT_FALSE(token);
    EXPECT_EQ(token.error().what().find("sk-two"), std::string::npos);
  }
  const auto garbled = token_of(ValueForm::kCodexFile, R"({"tokens":"sk-x)");
  ASSERT_FALSE(garbled);
  EXPECT_EQ(garbled.error().what().find("sk-x"), std::string::npos);
}

}  // namespace
}  // namespace sbx::secrets
