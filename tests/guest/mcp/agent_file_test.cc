// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/mcp/agent_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

wire::GuestMcp json_servers() {
  wire::GuestMcp mcp;
  mcp.path = ".claude.json";
  mcp.member = "mcpServers";
  mcp.entries = {{"files", {{"command", wire::kMcpProgram}, {"args", {"files"}}}}};
  return mcp;
}

wire::GuestMcp toml_servers() {
  wire::GuestMcp mcp = json_servers();
  mcp.member = "mcp_servers";
  mcp.toml = true;
  return mcp;
}

constexpr std::string_view kEntry = R"({"command":"/run/sandbox/bin/sandbox-mcp","args":["files"]})";

Json after(std::string_view content) { return *parse_json(*with_mcp_servers(content, json_servers())); }

TEST(McpAgentFile, AFileThatIsNotThereIsMade) { EXPECT_EQ(dump(after("")["mcpServers"]["files"]), kEntry); }

TEST(McpAgentFile, WhatElseIsInItStays) {
  const Json changed =
      after(R"({"theme":"dark","mcpServers":{"mine":{"command":"x"},"web":{"url":"https://a.test"}}})");
  EXPECT_EQ(changed["theme"], "dark");
  EXPECT_EQ(changed["mcpServers"]["mine"]["command"], "x");
  EXPECT_EQ(changed["mcpServers"].size(), 3u);
}

TEST(McpAgentFile, AServerOfAnEarlierStartIsTakenOut) {
  const Json changed = after(R"({"mcpServers":{"old":{"command":"/run/sandbox/bin/sandbox-mcp","args":["old"]},
                                "older":{"type":"local","command":["/run/sandbox/bin/sandbox-mcp","older"]}}})");
  EXPECT_EQ(changed["mcpServers"].size(), 1u);
  EXPECT_TRUE(changed["mcpServers"].contains("files"));
}

TEST(McpAgentFile, AServerOnTheNetworkThatWasTakenBackIsTakenOutAndTheUsersOwnOfThatNameStays) {
  wire::GuestMcp mcp = json_servers();
  mcp.entries.clear();
  mcp.revoked = {{"web", {{"type", "http"}, {"url", "https://a.test"}}}};
  const auto left = [&](std::string_view content) {
    return dump((*parse_json(*with_mcp_servers(content, mcp)))["mcpServers"]);
  };
  EXPECT_EQ(left(R"({"mcpServers":{"web":{"type":"http","url":"https://a.test"}}})"), "{}");
  EXPECT_EQ(left(R"({"mcpServers":{"web":{"type":"http","url":"https://b.test"}}})"),
            R"({"web":{"type":"http","url":"https://b.test"}})");
  EXPECT_EQ(*with_mcp_servers("", mcp), "") << "no file is made for nothing";
}

TEST(McpAgentFile, AgainChangesNothing) {
  const std::string once = *with_mcp_servers(R"({"a":1})", json_servers());
  EXPECT_EQ(*with_mcp_servers(once, json_servers()), once);
  const std::string toml = *with_mcp_servers("model = \"m\"\n", toml_servers());
  EXPECT_EQ(*with_mcp_servers(toml, toml_servers()), toml);
}

TEST(McpAgentFile, WhatIsNoConfigurationIsLeftAlone) {
  for (const char* content : {"{", "[]", "7", R"({"mcpServers":[]})"})
    EXPECT_FALSE(with_mcp_servers(content, json_servers())) << content;
}

TEST(McpAgentFile, OfTomlOnlyTheLinesBetweenTheMarksAreOurs) {
  const std::string made = *with_mcp_servers("model = \"m\"\n\n[tui]\na = 1", toml_servers());
  EXPECT_TRUE(made.starts_with("model = \"m\"\n\n[tui]\na = 1\n# MCP servers")) << made;
  EXPECT_NE(made.find("[mcp_servers.files]\ncommand = \"/run/sandbox/bin/sandbox-mcp\"\nargs = [\"files\"]\n"),
            std::string::npos)
      << made;
  wire::GuestMcp none = toml_servers();
  none.entries.clear();
  EXPECT_EQ(*with_mcp_servers(made, none), "model = \"m\"\n\n[tui]\na = 1\n");
}

TEST(McpAgentFile, AServerOfTheUsersWithTheSameNameStaysInToml) {
  const std::string own = "[mcp_servers.files]\ncommand = \"mine\"\n";
  EXPECT_EQ(*with_mcp_servers(own, toml_servers()), own);
}

class McpFiles : public ::testing::Test {
 protected:
  McpFiles() { EXPECT_TRUE(make_directories(root_ / "home/agent", 0755)); }
  Result<> ensure() { return ensure_mcp_files(json_servers(), agent_, root_.path()); }

  testing::TemporaryDirectory root_;
  const Account agent_{"agent", ::geteuid(), ::getegid(), "/home/agent", "/bin/sh"};
  const std::string file_ = root_ / "home/agent/.claude.json";
};

TEST_F(McpFiles, AFileOfTheAgentsIsMadeAndChanged) {
  ASSERT_TRUE(ensure());
  EXPECT_EQ(dump((*parse_json(*read_file(file_)))["mcpServers"]["files"]), kEntry);
  ASSERT_TRUE(write_file(file_, R"({"theme":"dark"})"));
  ASSERT_TRUE(ensure());
  EXPECT_EQ((*parse_json(*read_file(file_)))["theme"], "dark");
}

TEST_F(McpFiles, AFileThatCannotBeReadWholeIsLeftAsItIs) {
  const std::string large = dump({{"history", std::string(2u << 20, 'h')}});
  ASSERT_TRUE(write_file(file_, large));
  const auto told = ensure();
  ASSERT_FALSE(told);
  EXPECT_EQ(told.error().code(), Code::kTooLarge) << told.error().what();
  EXPECT_TRUE(*read_file(file_, 4u << 20) == large);
}

}  // namespace
}  // namespace sbx::guest
