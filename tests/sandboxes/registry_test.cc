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
  Registry registry("/nowhere", false);
  wire::CreateRequest request;
  request.agent = "shell";
  request.name = "box";
  const auto first = registry.claim(request);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->operation.owns_lock());
  EXPECT_EQ(registry.claim(request).error().code(), Code::kConflict);
  registry.erase(*first->sandbox);
  EXPECT_EQ(first->sandbox->usable().error().code(), Code::kNotFound);
  EXPECT_TRUE(registry.claim(request));
}

}  // namespace
}  // namespace sbx::sandboxes
