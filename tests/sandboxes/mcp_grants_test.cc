// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/mcp_grants.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"
#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

const wire::McpGrant kFiles{"files", ""};
const wire::McpGrant kWeb{"web", "https://web.test/mcp"};
const wire::McpGrant kWebToo{"web-too", "https://web.test/other"};

class McpGrantsTest : public sbx::testing::DaemonTest {
 protected:
  void SetUp() override {
    wire::CreateRequest server = world.request("mcp-files");
    server.mcp_command = {"serve", "files"};
    ASSERT_TRUE(daemon->creation.create(server, {}));
    wire::CreateRequest agent = world.request("agent");
    agent.policy = {{"policy", "deny"}};
    ASSERT_TRUE(daemon->creation.create(agent, {}));
  }
  Result<std::vector<wire::McpGrant>> change(const std::vector<wire::McpGrant>& grant,
                                             const std::vector<std::string>& revoke) {
    return daemon->mcp_grants.change("agent", {grant, revoke});
  }
  std::string granted() const {
    std::string names;
    const auto info = daemon->registry.info("agent");
    for (const wire::McpGrant& grant : info->mcp) names += grant.name + " ";
    return names;
  }
  std::size_t allowed() const { return daemon->policies.policy_of("agent")->allowed.size(); }
  std::string file(const std::string& name) const {
    return read_file(world.home.machine("agent") + "/" + name).value_or("");
  }
};

TEST_F(McpGrantsTest, AreGivenAndTakenAwayForGood) {
  ASSERT_TRUE(change({kFiles, kWeb}, {}));
  EXPECT_EQ(granted(), "files web ");
  ASSERT_TRUE(change({}, {"files"}));
  daemon = world.daemon();
  EXPECT_EQ(granted(), "web ");
  EXPECT_TRUE(change({}, {"files"})) << "asked again";
  EXPECT_EQ(change({}, {"none"}).error().code(), Code::kNotFound);
  EXPECT_EQ(granted(), "web ");
}

TEST_F(McpGrantsTest, ARunningSandboxIsCutOffFromWhatIsTakenAwayAndFromNothingElse) {
  ASSERT_TRUE(change({kFiles}, {}));
  ASSERT_TRUE(daemon->lifecycle.start("agent"));
  ASSERT_TRUE(change({kWeb}, {}));
  EXPECT_EQ(file("revoked.txt"), "");
  ASSERT_TRUE(change({}, {"web"}));
  EXPECT_EQ(file("revoked.txt"), "") << "it runs in no sandbox";
  ASSERT_TRUE(change({}, {"files"}));
  EXPECT_EQ(file("revoked.txt"), "files");
}

TEST_F(McpGrantsTest, ADaemonThatDiedBeforeItCutThemOffHasTheNextOneDoIt) {
  ASSERT_TRUE(change({kFiles}, {}));
  ASSERT_TRUE(daemon->lifecycle.start("agent"));
  ASSERT_TRUE(change({}, {"files"}));
  ASSERT_TRUE(remove_file(world.home.machine("agent") + "/revoked.txt"));
  daemon = world.daemon();
  ASSERT_TRUE(daemon->recovery.recover());
  daemon->mcp_grants.renew();
  EXPECT_EQ(file("revoked.txt"), "files");
}

TEST_F(McpGrantsTest, AServerThatBecomesAnotherIsTakenAwayFirst) {
  ASSERT_TRUE(change({kFiles}, {}));
  ASSERT_TRUE(daemon->lifecycle.start("agent"));
  ASSERT_TRUE(change({{"files", "https://files.test/mcp"}}, {}));
  EXPECT_EQ(file("revoked.txt"), "files");
}

TEST_F(McpGrantsTest, TheRuleForAHostIsThereAsLongAsAGrantNeedsIt) {
  ASSERT_TRUE(change({kWeb, kWebToo}, {}));
  EXPECT_EQ(allowed(), 1u);
  ASSERT_TRUE(change({}, {"web"}));
  EXPECT_EQ(allowed(), 1u);
  ASSERT_TRUE(change({}, {"web-too"}));
  EXPECT_EQ(allowed(), 0u);
}

TEST_F(McpGrantsTest, ABlockOfTheUsersOutlivesTheGrant) {
  ASSERT_TRUE(change({kWeb}, {}));
  ASSERT_TRUE(daemon->policies.edit("agent", {{"block-host", "web.test:443"}}));
  ASSERT_TRUE(change({}, {"web"}));
  EXPECT_EQ(daemon->policies.policy_of("agent")->blocked.size(), 1u);
}

TEST_F(McpGrantsTest, WhatIsNoServerChangesNothing) {
  EXPECT_EQ(change({{"none", ""}}, {}).error().code(), Code::kNotFound);
  EXPECT_EQ(change({{"web", "ftp://web.test"}}, {}).error().code(), Code::kInvalid);
  EXPECT_FALSE(change({kFiles, {"web", "https://user@web.test/"}}, {}));
  EXPECT_EQ(granted(), "");
  EXPECT_EQ(allowed(), 0u);
  EXPECT_EQ(daemon->mcp_grants.change("nosuch", {{kFiles}, {}}).error().code(), Code::kNotFound);
}

TEST_F(McpGrantsTest, TheNextStartTellsTheGuestWhatItHasNoMore) {
  ASSERT_TRUE(change({kFiles}, {}));
  ASSERT_TRUE(change({}, {"files"}));
  ASSERT_TRUE(daemon->lifecycle.start("agent"));
  const auto guest = parse_json(file("guest.json"));
  ASSERT_TRUE(guest);
  EXPECT_EQ(dump((*guest)["mcp"]["servers"]), "[]");
  ASSERT_TRUE(daemon->lifecycle.stop("agent"));
  ASSERT_TRUE(change({kFiles}, {}));
  EXPECT_TRUE(daemon->registry.find("agent").value()->record().mcp_revoked.empty());
}

}  // namespace
}  // namespace sbx::sandboxes
