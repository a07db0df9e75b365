// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/pending_creates.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

class PendingCreatesTest : public sbx::testing::DaemonTest {
 protected:
  // A template that takes until the test lets it come.
  void SetUp() override {
    world.before_template = [this](const std::string& name) {
      if (is_slow_.exchange(false)) {
        asked_.set_value();
        come_.get_future().wait();
      }
      return world.template_named(name);
    };
  }
  std::atomic<bool> is_slow_ = true;  // the first is
  std::promise<void> asked_;
  std::promise<void> come_;
};

TEST_F(PendingCreatesTest, ACancelledCreateLeavesNothingAndItsNameIsFree) {
  const auto key = wire::RequestKey::random();
  auto creating =
      std::async(std::launch::async, [&] { return daemon->creation.create(world.request("box"), {}, key); });
  asked_.get_future().wait();
  EXPECT_EQ(status("box"), wire::Status::kCreating);
  ASSERT_TRUE(daemon->creation.cancel(key));
  const auto created = creating.get();
  ASSERT_FALSE(created);
  EXPECT_NE(created.error().what().find("cancelled"), std::string::npos);
  EXPECT_FALSE(exists(world.home.machine("box")));
  EXPECT_TRUE(daemon->registry.list().empty());
  EXPECT_TRUE(daemon->creation.makes_templates());  // which goes on
  make("box");
  come_.set_value();
}

TEST_F(PendingCreatesTest, WhatIsNotUnderWayCannotBeCancelled) {
  is_slow_ = false;
  const auto key = wire::RequestKey::random();
  ASSERT_TRUE(daemon->creation.create(world.request("box"), {}, key));
  EXPECT_EQ(daemon->creation.cancel(key).error().code(), Code::kNotFound);
  EXPECT_EQ(status("box"), wire::Status::kStopped);
}

}  // namespace
}  // namespace sbx::sandboxes
