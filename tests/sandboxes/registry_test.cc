// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/registry.h"

#include <gtest/gtest.h>

#include "store/name.h"

namespace sbx::sandboxes {
namespace {

std::string named(const std::string& agent, const std::string& workspace, int number = 1) {
  wire::CreateRequest request;
  request.agent = agent;
  if (!workspace.empty()) request.workspaces = {{workspace, workspace, false}};
  return default_name(request, number);
}

TEST(DefaultName, IsTheAgentAndTheDirectory) {
  EXPECT_EQ(named("shell", "/home/u/my project"), "shell-my-project");
  EXPECT_EQ(named("shell", "/home/u/project", 2), "shell-project-2");
  EXPECT_EQ(named("shell", ""), "shell-sandbox");
  EXPECT_EQ(named("shell", "/home/u/项目"), "shell-workspace");
  EXPECT_EQ(named("shell", "/home/u/项目-web"), "shell-web");
}

TEST(DefaultName, IsAlwaysAName) {
  for (const auto& directory :
       {std::string(200, 'd'), std::string("..."), std::string("\xc3\xa4"), std::string("a..b")})
    for (const auto& agent : {std::string("x"), std::string(63, 'a')})
      for (const int number : {1, 2, 1000}) {
        const std::string name = named(agent, "/" + directory, number);
        EXPECT_TRUE(store::check_name(name)) << name;
      }
}

TEST(Registry, GivesANameAwayOnce) {
  Registry registry(Home("/nowhere"), false);
  wire::CreateRequest request;
  request.agent = "shell";
  request.name = "box";
  const auto first = registry.claim(request, {"key-1", "digest"});
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->operation.owns_lock());
  EXPECT_EQ(registry.claim(request, {"key-2", "digest"}).error().code(), Code::kConflict);
  registry.erase(*first->sandbox);
  EXPECT_EQ(first->sandbox->usable().error().code(), Code::kNotFound);
  EXPECT_TRUE(registry.claim(request, {"key-3", "digest"}));
}

TEST(Registry, AKeyGetsWhatItGotBefore) {
  Registry registry(Home("/nowhere"), false);
  wire::CreateRequest request;
  request.agent = "shell";
  const auto first = registry.claim(request, {"key-1", "digest"});
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->is_repeat);
  const auto again = registry.claim(request, {"key-1", "digest"});
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->is_repeat);
  EXPECT_EQ(again->sandbox, first->sandbox);
  EXPECT_FALSE(again->operation.owns_lock());
  EXPECT_EQ(registry.claim(request, {"key-1", "another"}).error().code(), Code::kConflict);
  EXPECT_NE(registry.claim(request, {"key-2", "digest"})->sandbox, first->sandbox);
}

}  // namespace
}  // namespace sbx::sandboxes
