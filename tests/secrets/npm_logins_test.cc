// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/npm_logins.h"

#include <gtest/gtest.h>

namespace sbx::secrets {
namespace {

std::optional<std::string> variable(const std::string& name) {
  return name == "TOKEN" ? std::optional<std::string>("of-the-variable") : std::nullopt;
}

std::vector<RegistryLogin> npm_logins_in(std::string_view npmrc) { return npm_logins(npmrc, variable); }

TEST(NpmLogins, ATokenIsABearer) {
  const auto logins = npm_logins_in("registry=https://npm.test/\n//NPM.test:8443/:_authToken = \"abc\"\r\n");
  ASSERT_EQ(logins.size(), 1u);
  EXPECT_EQ(logins[0].place.hosts, std::vector<std::string>{"npm.test"});
  EXPECT_EQ(logins[0].place.prefix, "Bearer ");
  EXPECT_EQ(logins[0].place.basic_user, "");
  EXPECT_EQ(logins[0].value->view(), "abc");
}

TEST(NpmLogins, UserAndPasswordAreBasicInBothForms) {
  for (const char* text :
       {"//npm.test/:_auth=dXNlcjp3b3Jk", "//npm.test/:username=user\n//npm.test/:_password=d29yZA=="}) {
    const auto logins = npm_logins_in(text);
    ASSERT_EQ(logins.size(), 1u) << text;
    EXPECT_EQ(logins[0].place.basic_user, "user");
    EXPECT_EQ(logins[0].value->view(), "word");
  }
}

TEST(NpmLogins, VariablesAreFilledInOrTheLineIsLeftOut) {
  const auto logins = npm_logins_in("//a.test/:_authToken=x${TOKEN}y\n//b.test/:_authToken=${NOT_THERE}\n");
  ASSERT_EQ(logins.size(), 1u);
  EXPECT_EQ(logins[0].value->view(), "xof-the-variabley");
}

TEST(NpmLogins, OfTwoForAHostTheOneForMoreOfItIsFirst) {
  const auto logins = npm_logins_in("//npm.test/deep/:_authToken=deep\n//npm.test/:_authToken=root\n");
  ASSERT_EQ(logins.size(), 2u);
  EXPECT_EQ(logins[0].value->view(), "root");
}

TEST(NpmLogins, AreNothingElse) {
  EXPECT_TRUE(npm_logins_in("_authToken=for-any-host\n; //c.test/:_authToken=comment\n# //c.test/:_authToken=x\n"
                            "//d.test/:always-auth=true\n//:_authToken=x\n//e.test/:_authToken=\n"
                            "//f.test/:_auth=not base64\n//g.test/_authToken=x\n//h.test/:_authToken=a\tb\n//")
                  .empty());
}

}  // namespace
}  // namespace sbx::secrets
