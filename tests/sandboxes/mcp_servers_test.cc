// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/mcp_servers.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

class McpServersTest : public sbx::testing::DaemonTest {
 protected:
  void SetUp() override { daemon->mcp_servers.open(); }
  void make_server(const std::string& name) {
    wire::CreateRequest request = world.request(wire::mcp_sandbox(name));
    request.mcp_command = {"serve", name};
    const auto created = daemon->creation.create(request, {});
    ASSERT_TRUE(created) << created.error().what();
  }
  void make_agent(const std::vector<wire::McpGrant>& grants) {
    wire::CreateRequest request = world.request("agent");
    request.mcp = grants;
    const auto created = daemon->creation.create(request, {});
    ASSERT_TRUE(created) << created.error().what();
  }
  // A program in the guest wants to speak with it: what comes on its line.
  std::string answer_to(const std::string& server) {
    const std::string file = world.home.machine("agent") + "/mcp.txt";
    EXPECT_TRUE(remove_file(file));
    wire::ExecRequest exec;
    exec.command = {"want", server};
    EXPECT_TRUE(daemon->execs.exec_detached("agent", exec));
    while (!exists(file)) std::this_thread::yield();
    return read_file(file).value_or("");
  }
};

TEST_F(McpServersTest, AProgramIsBroughtTogetherWithTheServerThatItsSandboxWasGranted) {
  make_server("files");
  make_agent({{"files", ""}});
  EXPECT_EQ(answer_to("files"), "ok\nserve files");
  EXPECT_EQ(status("mcp-files"), wire::Status::kRunning) << "it was started for it";
  daemon = world.daemon();
  ASSERT_TRUE(daemon->recovery.recover());
  daemon->mcp_servers.open();
  EXPECT_EQ(answer_to("files"), "ok\nserve files");
}

TEST_F(McpServersTest, WhoAsksWhileADaemonLooksForItsSandboxesIsServedAfterThat) {
  make_server("files");
  make_agent({{"files", ""}});
  daemon = world.daemon();
  ASSERT_TRUE(daemon->recovery.recover());
  const std::string file = world.home.machine("agent") + "/mcp.txt";
  wire::ExecRequest exec;
  exec.command = {"want", "files"};
  ASSERT_TRUE(daemon->execs.exec_detached("agent", exec));
  EXPECT_FALSE(exists(file));
  daemon->mcp_servers.open();
  while (!exists(file)) std::this_thread::yield();
  EXPECT_EQ(read_file(file).value_or(""), "ok\nserve files");
}

TEST_F(McpServersTest, AnotherIsRefusedWhateverAShimSays) {
  make_server("files");
  make_server("keys");
  make_agent({{"files", ""}, {"web", "https://web.test/"}});
  EXPECT_EQ(answer_to("keys"), "MCP server \"keys\" was not granted to this sandbox\n");
  EXPECT_EQ(answer_to("web"), "MCP server \"web\" was not granted to this sandbox\n") << "it runs in no sandbox";
  EXPECT_EQ(status("mcp-keys"), wire::Status::kStopped);
}

TEST_F(McpServersTest, ASandboxOfThatNameWhichIsNoServerIsNone) {
  make_server("files");
  make_agent({{"files", ""}});
  ASSERT_TRUE(daemon->removal.remove("mcp-files"));
  EXPECT_EQ(answer_to("files"), "there is no MCP server \"files\" (try: sandbox mcp ls)\n");
  make("mcp-files");
  EXPECT_EQ(answer_to("files"), "there is no MCP server \"files\" (try: sandbox mcp ls)\n");
}

// It has paths of the host's in it.
TEST_F(McpServersTest, WhyAServerDoesNotStartIsNotToldToTheGuest) {
  wire::CreateRequest request = world.request(wire::mcp_sandbox("files"), "refuse");
  request.mcp_command = {"serve", "files"};
  ASSERT_TRUE(daemon->creation.create(request, {}));
  make_agent({{"files", ""}});
  EXPECT_EQ(answer_to("files"), "the MCP server could not be started; the daemon's log says why\n");
}

TEST_F(McpServersTest, WhatIsNotThereCannotBeGranted) {
  wire::CreateRequest request = world.request("agent");
  request.mcp = {{"files", ""}};
  EXPECT_FALSE(daemon->creation.create(request, {}));
  request.mcp = {{"files", "ftp://a.test"}};
  EXPECT_FALSE(daemon->creation.create(request, {}));
  request.mcp.clear();
  request.mcp_command = {"serve"};
  EXPECT_FALSE(daemon->creation.create(request, {})) << "it is not called mcp-...";
  EXPECT_TRUE(daemon->registry.list().empty());
}

TEST_F(McpServersTest, AnEndOfTheDaemonDoesNotWaitForASandboxThatIsBeingWorkedOn) {
  make_server("files");
  make_agent({{"files", ""}});
  {
    const auto server = daemon->registry.find("mcp-files").value();
    const std::scoped_lock save(server->operation());
    wire::ExecRequest exec;
    exec.command = {"want", "files"};
    ASSERT_TRUE(daemon->execs.exec_detached("agent", exec));
    while (server->used_at().empty()) std::this_thread::yield();
    EXPECT_FALSE(daemon->mcp_servers.stop(std::chrono::milliseconds(1)));
  }
  EXPECT_TRUE(daemon->mcp_servers.stop(std::chrono::hours(1)));
}

TEST_F(McpServersTest, TheGuestIsToldInTheWordsOfItsAgent) {
  make_server("files");
  make_agent({{"files", ""}, {"web", "https://web.test/"}});
  ASSERT_TRUE(daemon->lifecycle.start("agent"));
  const Json guest = *parse_json(read_file(world.home.machine("agent") + "/guest.json").value_or(""));
  EXPECT_EQ(guest["mcp"]["servers"], Json({"files"}));
  EXPECT_EQ(guest["mcp"]["path"], "") << "a shell has no file of its own";
  EXPECT_EQ(guest["mcp"]["plain"]["web"]["url"], "https://web.test/");
}

}  // namespace
}  // namespace sbx::sandboxes
