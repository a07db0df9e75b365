// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/mcp_listing.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

wire::SandboxInfo sandbox(const std::string& name) {
  wire::SandboxInfo info;
  info.name = name;
  info.status = wire::Status::kStopped;
  return info;
}

TEST(McpListing, BothKindsAreListedWithWhomTheyServe) {
  wire::SandboxInfo server = sandbox("mcp-files");
  server.mcp_command = {"serve", "/data"};
  wire::SandboxInfo agent = sandbox("agent");
  agent.mcp = {{"files", ""}, {"docs", "https://docs.test/"}};
  const auto servers = mcp_servers({server, agent, sandbox("mcp-plain")}, {{"docs", "https://docs.test/"}});
  EXPECT_EQ(mcp_table(servers),
            "NAME    SANDBOX     STATUS    SERVER               GRANTED TO\n"
            "docs    -           -         https://docs.test/   agent\n"
            "files   mcp-files   stopped   serve /data          agent\n");
}

// A server on the network that took the place of another is another one.
TEST(McpListing, AGrantIsOfTheServerThatItNames) {
  wire::SandboxInfo agent = sandbox("agent");
  agent.mcp = {{"docs", "https://old.test/"}};
  EXPECT_TRUE(mcp_servers({agent}, {{"docs", "https://new.test/"}}).front().granted.empty());
}

}  // namespace
}  // namespace sbx::cli
