// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/injection.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/base64.h"
#include "vault/basic.h"

namespace sbx::vault {
namespace {

using wire::CredentialView;

constexpr std::int64_t kNow = 1'000'000;

struct InjectionTest : ::testing::Test {
  CredentialView key{"key", {"api.test"}, "x-api-key", "", "", {"stand-in"}, "the-secret-value", 0};
  BoundRequest request{"POST", "/", {}, std::nullopt, false, false};

  std::variant<Injected, NotInjected> injected(std::vector<const CredentialView*> credentials) {
    return inject(request, credentials, kNow);
  }
  Injected done(std::vector<const CredentialView*> credentials) {
    const auto outcome = injected(std::move(credentials));
    EXPECT_TRUE(std::holds_alternative<Injected>(outcome));
    return std::holds_alternative<Injected>(outcome) ? std::get<Injected>(outcome) : Injected{};
  }
  std::string field(std::string_view name) const {
    return std::string(http::find(request.fields, name).value_or("(none)"));
  }
};

TEST_F(InjectionTest, ARequestWithoutACredentialGetsTheField) {
  EXPECT_EQ(done({&key}).credential, "key");
  EXPECT_EQ(field("x-api-key"), "the-secret-value");
}

TEST_F(InjectionTest, WithItsPrefixOrAsBasic) {
  key.header = "authorization";
  key.prefix = "Bearer ";
  done({&key});
  EXPECT_EQ(field("authorization"), "Bearer the-secret-value");
  request.fields.clear();
  key.basic_user = "git";
  const Injected basic_one = done({&key});
  EXPECT_EQ(field("authorization"), basic("git:the-secret-value"));
  // What has to be masked is what is on the wire.
  EXPECT_NE(std::ranges::find(basic_one.secrets, base64("git:the-secret-value")), basic_one.secrets.end());
}

TEST_F(InjectionTest, PlaceholdersAreReplacedWhereverTheyStand) {
  request.fields = {{"X-Some", "a stand-in and stand-in"}, {"Cookie", "k=stand-in"}};
  EXPECT_EQ(done({&key}).credential, "key");
  EXPECT_EQ(field("X-Some"), "a the-secret-value and the-secret-value");
  EXPECT_EQ(field("Cookie"), "k=the-secret-value");
  EXPECT_EQ(field("x-api-key"), "(none)");  // it has one already
}

TEST_F(InjectionTest, PlaceholdersAreReplacedInsideBasic) {
  request.fields = {{"Authorization", basic("user:stand-in")}};
  const Injected outcome = done({&key});
  EXPECT_EQ(field("authorization"), basic("user:the-secret-value"));
  EXPECT_NE(std::ranges::find(outcome.secrets, base64("user:the-secret-value")), outcome.secrets.end());
}

TEST_F(InjectionTest, ARealCredentialOfTheGuestsIsKept) {
  for (const char* name : {"Authorization", "X-Api-Key"}) {
    request.fields = {{name, "the guest's own"}};
    EXPECT_EQ(done({&key}).credential, "");
    EXPECT_EQ(request.fields.size(), 1u);
    EXPECT_EQ(field(name), "the guest's own");
  }
}

TEST_F(InjectionTest, OfTwoWithOnePlaceholderTheFieldTellsWhichIsMeant) {
  CredentialView token{"token", {"api.test"}, "authorization", "Bearer ", "", {"stand-in"}, "another-value", 0};
  request.fields = {{"Authorization", "Bearer stand-in"}};
  EXPECT_EQ(done({&key, &token}).credential, "token");
  EXPECT_EQ(field("authorization"), "Bearer another-value");
  request.fields = {{"X-Api-Key", "stand-in"}};
  EXPECT_EQ(done({&token, &key}).credential, "key");
  EXPECT_EQ(field("x-api-key"), "the-secret-value");
}

TEST_F(InjectionTest, TheFirstCredentialThatIsGoodIsSet) {
  CredentialView stale{"stale", {"api.test"}, "authorization", "", "", {}, "old", kNow - 1};
  EXPECT_EQ(done({&stale, &key}).credential, "key");
}

TEST_F(InjectionTest, AnExpiredOneIsRefusedByNameWithTheCommandThatHelps) {
  key.expires_ms = kNow;
  const auto set = injected({&key});
  ASSERT_TRUE(std::holds_alternative<NotInjected>(set));
  EXPECT_EQ(std::get<NotInjected>(set).credential, "key");
  EXPECT_NE(std::get<NotInjected>(set).why.find("sandbox secret add key --update"), std::string::npos);
  EXPECT_EQ(std::get<NotInjected>(set).why.find("the-secret-value"), std::string::npos);
  request.fields = {{"X-Api-Key", "stand-in"}};
  EXPECT_TRUE(std::holds_alternative<NotInjected>(injected({&key})));
  request.fields = {{"X-Api-Key", "the guest's own"}};
  EXPECT_TRUE(std::holds_alternative<Injected>(injected({&key})));
  request.fields.clear();
  key.expires_ms = kNow + 1;
  EXPECT_TRUE(std::holds_alternative<Injected>(injected({&key})));
}

// SECURITY: it would be two fields, or two requests.
TEST_F(InjectionTest, AValueOfTwoLinesIsNeverSet) {
  for (const std::string_view value : {"one\r\nHost: evil.test", "one\ntwo"}) {
    key.value = value;
    request.fields.clear();
    EXPECT_TRUE(std::holds_alternative<NotInjected>(injected({&key})));
    request.fields = {{"X-Some", "stand-in"}};
    EXPECT_TRUE(std::holds_alternative<NotInjected>(injected({&key})));
  }
}

TEST_F(InjectionTest, AValueThatIsAPlaceholderEnds) {
  key.value = "stand-in stand-in";
  request.fields = {{"X-Some", "stand-in"}};
  EXPECT_EQ(done({&key}).credential, "key");
}

TEST_F(InjectionTest, ACredentialWithoutAFieldIsOnlyForItsPlaceholder) {
  key.header = "";
  EXPECT_EQ(done({&key}).credential, "");
  EXPECT_TRUE(request.fields.empty());
}

}  // namespace
}  // namespace sbx::vault
