// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/successions.h"

#include <gtest/gtest.h>

#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

using wire::UpdateState;

std::string digest_of(char digit) { return "sha256:" + std::string(64, digit); }

class SuccessionsTest : public sbx::testing::DaemonTest {
 protected:
  // By the same name, with another last layer.
  images::Template successor(const std::string& name) {
    const store::Record record = daemon->registry.find(name).value()->record();
    std::vector<std::string> layers = record.base.layers;
    layers.back() = digest_of('e');
    return {record.base.name, digest_of('f'), layers, {}};
  }
  store::Record record(const std::string& name) { return daemon->registry.find(name).value()->record(); }
  std::vector<wire::UpdatedSandbox> bring_over(const images::Template& to) {
    return daemon->successions.bring_over(record("box").agent, to);
  }
};

TEST_F(SuccessionsTest, AStoppedSandboxHasTheNewTemplateAtOnce) {
  make("box");
  const auto told = bring_over(successor("box"));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].state, UpdateState::kUpdated);
  EXPECT_EQ(record("box").base.digest, digest_of('f'));
  daemon = world.daemon();
  EXPECT_EQ(record("box").base.layers.back(), digest_of('e')) << "it is in the record";
}

TEST_F(SuccessionsTest, OneThatRunsHasItWithItsNextStart) {
  make("box");
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  const images::Template next = successor("box");
  EXPECT_EQ(bring_over(next)[0].state, UpdateState::kNextStart);
  EXPECT_NE(record("box").base.digest, next.digest);
  const images::InUse used = daemon->catalog.in_use();
  EXPECT_TRUE(used.layers.contains(digest_of('e')) && used.images.contains(next.digest))
      << "it is not pruned meanwhile";
  ASSERT_TRUE(daemon->lifecycle.stop("box", std::chrono::seconds(1)));
  (void)daemon->lifecycle.start("box");  // its layers are not there in this world
  EXPECT_EQ(record("box").base.digest, next.digest);
  EXPECT_FALSE(record("box").successor);
}

TEST_F(SuccessionsTest, AnotherBaseSystemOrTemplateIsKept) {
  make("box");
  const std::string before = record("box").base.digest;
  images::Template other = successor("box");
  other.layers.insert(other.layers.begin(), digest_of('a'));
  auto told = bring_over(other);
  EXPECT_EQ(told[0].state, UpdateState::kKept);
  EXPECT_NE(told[0].reason.find("base system"), std::string::npos);
  other = successor("box");
  other.name = "another";
  told = bring_over(other);
  EXPECT_EQ(told[0].state, UpdateState::kKept);
  EXPECT_EQ(record("box").base.digest, before);
}

TEST_F(SuccessionsTest, TheSameTemplateChangesNothing) {
  make("box");
  images::Template same = successor("box");
  same.digest = record("box").base.digest;
  EXPECT_EQ(bring_over(same)[0].state, UpdateState::kCurrent);
}

TEST_F(SuccessionsTest, SandboxesOfOtherAgentsAreNotAskedFor) {
  make("box");
  EXPECT_TRUE(daemon->successions.bring_over("another-agent", successor("box")).empty());
}

}  // namespace
}  // namespace sbx::sandboxes
