// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/docker_logins.h"

#include <gtest/gtest.h>

#include <map>

namespace sbx::secrets {
namespace {

Result<std::string> no_helper(const std::string& helper, const std::string&) {
  ADD_FAILURE() << "asked " << helper;
  return fail(Code::kNotFound, "no helper");
}

std::vector<RegistryLogin> logins_in(std::string_view config, const AskHelper& ask = no_helper) {
  const auto logins = docker_logins(config, ask);
  EXPECT_TRUE(logins) << (logins ? "" : logins.error().what());
  return logins.value_or(std::vector<RegistryLogin>());
}

TEST(DockerLogins, AreUserAndPasswordAtTheHostOfTheRegistry) {
  const auto logins = logins_in(R"({"auths": {"Registry.Example.com:5000": {"auth": "dXNlcjp3OnJk"}}})");
  ASSERT_EQ(logins.size(), 1u);
  EXPECT_EQ(logins[0].place.hosts, std::vector<std::string>{"registry.example.com"});
  EXPECT_EQ(logins[0].place.header, "authorization");
  EXPECT_EQ(logins[0].place.basic_user, "user");
  EXPECT_EQ(logins[0].value->view(), "w:rd") << "a password may have a colon in it";
}

TEST(DockerLogins, OfTheHubGoToItsTokensOnly) {
  for (const char* name : {"https://index.docker.io/v1/", "docker.io", "registry-1.docker.io"}) {
    const auto logins = logins_in(R"({"auths": {")" + std::string(name) + R"(": {"username": "u", "password": "p"}}})");
    ASSERT_EQ(logins.size(), 1u) << name;
    EXPECT_EQ(logins[0].place.hosts, std::vector<std::string>{"auth.docker.io"});
  }
}

TEST(DockerLogins, ComeFromTheHelperOfTheirHostBeforeTheStore) {
  std::map<std::string, std::string> asked;
  const auto ask = [&asked](const std::string& helper, const std::string& server) -> Result<std::string> {
    asked[server] = helper;
    return R"({"ServerURL": ")" + server + R"(", "Username": "me", "Secret": "of )" + helper + "\"}";
  };
  const auto logins = logins_in(R"({"auths": {"a.test": {}, "b.test": {"auth": "dTpw"}}, "credsStore": "pass",
                    "credHelpers": {"b.test": "cloud", "c.test": "cloud"}})",
                                ask);
  EXPECT_EQ(asked, (std::map<std::string, std::string>{{"a.test", "pass"}, {"b.test", "cloud"}, {"c.test", "cloud"}}));
  ASSERT_EQ(logins.size(), 3u);
  EXPECT_EQ(logins[1].value->view(), "of cloud");
}

TEST(DockerLogins, AHelperThatFailsOrLeadsElsewhereCostsItsLoginOnly) {
  const auto ask = [](const std::string& helper, const std::string& server) -> Result<std::string> {
    EXPECT_EQ(helper, "good");
    if (server == "a.test") return fail(Code::kUnavailable, "locked");
    if (server == "b.test") return std::string("no JSON");
    if (server == "c.test") return std::string(R"({"Username": "<token>", "Secret": "identity"})");
    return std::string(R"({"Username": "me", "Secret": "word"})");
  };
  const auto logins = logins_in(R"({"credHelpers": {"a.test": "good", "b.test": "good", "c.test": "good",
                                    "d.test": "good", "e.test": "../../tmp/evil", "f.test": ""}})",
                                ask);
  ASSERT_EQ(logins.size(), 1u);
  EXPECT_EQ(logins[0].registry, "d.test");
}

TEST(DockerLogins, ThatNoHeaderCanCarryAreLeftOut) {
  EXPECT_TRUE(logins_in(R"({"auths": {"a.test": {"username": "u", "password": "two\r\nlines"},
                                      "b.test": {"username": "u:v", "password": "p"},
                                      "c.test": {"auth": "bm8gY29sb24="},
                                      "d.test": {"auth": "dTpw", "identitytoken": "t"},
                                      "": {"auth": "dTpw"}, "bad host": {"auth": "dTpw"}, "e.test": "text"}})")
                  .empty());
  EXPECT_FALSE(docker_logins("[]", no_helper));
  EXPECT_FALSE(docker_logins("{", no_helper));
  EXPECT_TRUE(logins_in("{}").empty());
}

}  // namespace
}  // namespace sbx::secrets
