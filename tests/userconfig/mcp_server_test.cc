// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "userconfig/mcp_server.h"

#include <gtest/gtest.h>

namespace sbx::userconfig {
namespace {

TEST(McpServer, OfOpencodeHasItsCommandInOneList) {
  EXPECT_EQ(reason_to_leave({{"type", "local"}, {"command", {"npx", "-y", "x"}}, {"enabled", true}}, {}), "");
  EXPECT_EQ(reason_to_leave({{"type", "remote"}, {"url", "https://x"}}, {}), "it is reached over the network");
}

TEST(McpServer, ThatIsMalformedStays) {
  for (const Json& server : {Json(nullptr), Json{{"command", 3}}, Json{{"command", ""}},
                             Json{{"command", Json::array()}}, Json{{"command", "x"}, {"args", "y"}},
                             Json{{"command", "x"}, {"env", {{"A", 1}}}}, Json{{"command", "x"}, {"type", 3}}})
    EXPECT_NE(reason_to_leave(server, {}), "") << server.dump();
}

TEST(McpServer, InAWorkspaceIsNotReachedByGoingUp) {
  EXPECT_EQ(reason_to_leave({{"command", "/work/bin/server"}}, {"/work"}), "");
  EXPECT_NE(reason_to_leave({{"command", "/work/../opt/server"}}, {"/work"}), "");
  EXPECT_NE(reason_to_leave({{"command", "/workshop/server"}}, {"/work"}), "");
}

}  // namespace
}  // namespace sbx::userconfig
