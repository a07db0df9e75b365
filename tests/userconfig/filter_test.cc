// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "userconfig/filter.h"

#include <gtest/gtest.h>

namespace sbx::userconfig {
namespace {

using Lines = std::vector<std::string>;

agents::ConfigRule rule() {
  return {.path = "settings.json",
          .kind = agents::ConfigKind::kJson,
          .keys = {"model", "permissions.deny", "note"},
          .servers = "mcpServers"};
}

TEST(Filter, TakesWhatIsListedAndTellsWhatIsNot) {
  const Json settings = {{"model", "opus"},
                         {"permissions", {{"deny", {"Read(./.env)"}}, {"allow", {"Bash"}}}},
                         {"env", {{"A", "1"}}},
                         {"hooks", Json::object()}};
  const Filtered filtered = filter(settings, rule(), {});
  EXPECT_EQ(filtered.kept, (Json{{"model", "opus"}, {"permissions", {{"deny", {"Read(./.env)"}}}}}));
  EXPECT_EQ(filtered.taken, (Lines{"model", "permissions.deny"}));
  EXPECT_EQ(filtered.left, (Lines{"env: it is not on the list", "hooks: it is not on the list"}));
}

TEST(Filter, LeavesAListedMemberThatMayBeAKey) {
  const Filtered filtered =
      filter({{"note", "0123456789abcdef0123456789abcdef"}, {"model", {{"apiKey", "x"}}}}, rule(), {});
  EXPECT_TRUE(filtered.kept.empty());
  EXPECT_EQ(filtered.left, (Lines{"model: it may be a key", "note: it may be a key"}));
}

TEST(Filter, TakesServersThatRunInTheSandboxAndHoldNoKey) {
  const Json good = {{"type", "stdio"},
                     {"command", "npx"},
                     {"args", {"-y", "@org/server", "/work/a"}},
                     {"env", {{"LEVEL", "debug"}, {"GITHUB_TOKEN", "${GITHUB_TOKEN}"}}}};
  const Json servers = {
      {"good", good},
      {"project", {{"command", "/work/tools/server"}}},
      {"http", {{"type", "http"}, {"url", "https://example.com/"}, {"headers", {{"Authorization", "Bearer x"}}}}},
      {"sse", {{"url", "https://example.com/"}}},
      {"argument", {{"command", "npx"}, {"args", {"server", "--api-key", "x"}}}},
      {"long", {{"command", "npx"}, {"args", {"0123456789abcdef0123456789abcdef"}}}},
      {"variable", {{"command", "npx"}, {"env", {{"TOKEN", "x"}}}}},
      {"host", {{"command", "/opt/server"}}},
      {"odd", {{"command", "npx"}, {"headers", Json::object()}}},
      {"none", {{"args", {"x"}}}},
      {"list", 3}};
  const Filtered filtered = filter({{"mcpServers", servers}}, rule(), {"/work"});
  EXPECT_EQ(filtered.kept, (Json{{"mcpServers", {{"good", good}, {"project", {{"command", "/work/tools/server"}}}}}}));
  EXPECT_EQ(filtered.taken, (Lines{"MCP server good", "MCP server project"}));
  EXPECT_EQ(filtered.left.size(), 9u);
}

TEST(Filter, TakesTheServersOfTheWorkspacesOwnProject) {
  agents::ConfigRule state = rule();
  state.is_state = true;
  const Json settings = {{"oauthAccount", {{"x", 1}}},
                         {"projects",
                          {{"/work", {{"mcpServers", {{"mine", {{"command", "npx"}}}}}}},
                           {"/other", {{"mcpServers", {{"theirs", {{"command", "npx"}}}}}}}}}};
  const Filtered filtered = filter(settings, state, {"/work"});
  EXPECT_EQ(filtered.kept, (Json{{"mcpServers", {{"mine", {{"command", "npx"}}}}}}));
  EXPECT_TRUE(filtered.left.empty());
}

TEST(Filter, OfWhatIsNoObjectTakesNothing) {
  EXPECT_TRUE(filter(Json::array({1}), rule(), {}).taken.empty());
  EXPECT_TRUE(filter(Json("x"), rule(), {}).taken.empty());
}

TEST(Merged, HasWhatIsOnTop) {
  EXPECT_EQ(merged({{"a", {{"b", 1}, {"c", 2}}}, {"d", 3}}, {{"a", {{"b", 9}}}, {"e", 4}}),
            (Json{{"a", {{"b", 9}, {"c", 2}}}, {"d", 3}, {"e", 4}}));
}

}  // namespace
}  // namespace sbx::userconfig
