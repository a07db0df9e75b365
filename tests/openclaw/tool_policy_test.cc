// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/tool_policy.h"

#include <gtest/gtest.h>

namespace sbx::openclaw {
namespace {

using List = std::vector<std::string>;

bool allows(const ToolKeys& keys, const char* tool) {
  return decide_tool({sandbox_layer(keys, "tools")}, tool, true).allowed;
}

TEST(ToolPolicy, AllowsAndDeniesInASandboxByDefault) {
  for (const char* tool : {"bash", "exec", "process", "read", "write", "edit", "sessions_list", "sessions_history",
                           "sessions_send", "sessions_spawn", " BASH "})
    EXPECT_TRUE(allows({}, tool)) << tool;
  for (const char* tool :
       {"browser", "canvas", "nodes", "cron", "automations", "discord", "gateway", "web_fetch", "anything", "", "*"})
    EXPECT_FALSE(allows({}, tool)) << tool;
}

TEST(ToolPolicy, FollowsALadderOfRules) {
  struct Case {
    ToolKeys keys;
    const char* tool;
    bool allowed;
  };
  const Case cases[] = {
      // The custom lists of the dialect's page.
      {{.allow = List{"read", "write", "bash"}, .deny = List{"browser", "canvas", "elevated"}}, "bash", true},
      {{.allow = List{"read", "write", "bash"}, .deny = List{"browser", "canvas", "elevated"}}, "edit", false},
      {{.allow = List{"read", "write", "bash"}, .deny = List{"browser", "canvas", "elevated"}}, "elevated", false},
      // Denying wins.
      {{.allow = List{"bash"}, .deny = List{"exec"}}, "bash", false},
      {{.allow = List{"*"}, .deny = List{"group:ui"}}, "canvas", false},
      {{.allow = List{"*"}, .deny = List{"group:ui"}}, "read", true},
      // An empty list allows all that is not denied.
      {{.allow = List{}, .deny = List{"browser"}}, "web_fetch", true},
      {{.allow = List{}, .deny = List{"browser"}}, "browser", false},
      // Groups and patterns.
      {{.allow = List{"group:fs"}}, "apply-patch", true},
      {{.allow = List{"group:fs"}}, "bash", false},
      {{.allow = List{"group:runtime"}}, "bash", true},
      {{.allow = List{"sessions_*"}}, "sessions_send", true},
      {{.allow = List{"sessions_*"}}, "session_status", false},
      {{.allow = List{"*_fetch"}}, "web_fetch", true},
      {{.allow = List{"a.c"}}, "abc", false},
      // One that is allowed by name is not denied by default; by a pattern or a group it still is.
      {{.allow = List{"browser"}}, "browser", true},
      {{.allow = List{"*"}}, "browser", false},
      {{.allow = List{"group:ui"}}, "browser", false},
      {{.also_allow = List{"web_fetch"}}, "web_fetch", true},
      {{.also_allow = List{"web_fetch"}}, "bash", true},
      {{.deny = List{}}, "browser", false},
  };
  for (const Case& c : cases) EXPECT_EQ(allows(c.keys, c.tool), c.allowed) << c.tool << " line " << (&c - cases);
}

TEST(ToolPolicy, SaysByWhichRule) {
  const std::vector<ToolLayer> layers{sandbox_layer({.deny = List{"group:ui"}}, "x.tools")};
  EXPECT_EQ(decide_tool(layers, "browser", true).rule, "x.tools.deny has group:ui");
  EXPECT_EQ(decide_tool(layers, "cron", true).rule, "x.tools.allow (default) does not have it");
  EXPECT_EQ(decide_tool(layers, "bash", true).rule, "x.tools.allow (default) has bash");
}

TEST(ToolPolicy, OfASandboxSaysNothingOfTheHost) {
  const std::vector<ToolLayer> layers{general_layer({.deny = List{"nodes"}}, "tools"), sandbox_layer({}, "x")};
  EXPECT_TRUE(decide_tool(layers, "browser", false).allowed);
  EXPECT_FALSE(decide_tool(layers, "browser", true).allowed);
  EXPECT_FALSE(decide_tool(layers, "nodes", false).allowed);
}

TEST(ToolPolicy, IsNarrowedByEveryLayer) {
  const std::vector<ToolLayer> layers{profile_layer("minimal", {}, "tools"), sandbox_layer({}, "x")};
  EXPECT_FALSE(decide_tool(layers, "bash", true).allowed);
  EXPECT_FALSE(decide_tool(layers, "session_status", true).allowed);
  EXPECT_TRUE(decide_tool({profile_layer("full", {}, "tools")}, "bash", true).allowed);
  EXPECT_TRUE(decide_tool({profile_layer("coding", {}, "tools")}, "bash", true).allowed);
}

TEST(ToolPolicy, KnowsNoGroupThatIsMisspelt) {
  const auto checked = check_tools({"read", "group:runtme"}, "tools.allow");
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().what(), "tools.allow: there is no group:runtme");
  EXPECT_EQ(checked.error().hint(), "group:runtime");
  EXPECT_FALSE(check_tools({" "}, "tools.allow"));
}

}  // namespace
}  // namespace sbx::openclaw
