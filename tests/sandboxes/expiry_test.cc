// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/expiry.h"

#include <gtest/gtest.h>

#include <future>

#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

class ExpiryTest : public sbx::testing::DaemonTest {
 protected:
  void make_expiring(std::int64_t ttl_s, std::int64_t idle_stop_s) {
    auto request = world.request("box");
    request.ttl_s = ttl_s;
    request.idle_stop_s = idle_stop_s;
    ASSERT_TRUE(daemon->creation.create(request, {}));
  }
  bool is_there() const { return daemon->registry.info("box").has_value(); }
};

TEST_F(ExpiryTest, ASandboxIsRemovedWhenItIsOldEnough) {
  make_expiring(3600, 0);
  const WallTime made = now();
  const WallTime next = daemon->expiry.enforce(made + minutes(59));
  EXPECT_TRUE(is_there());
  EXPECT_LE(next, made + minutes(60) + std::chrono::seconds(1));
  daemon->expiry.enforce(made + minutes(61));
  EXPECT_FALSE(is_there());
}

TEST_F(ExpiryTest, TheNextDaemonKeepsThePromise) {
  make_expiring(60, 0);
  daemon = world.daemon();
  daemon->expiry.enforce(now() + hours(1));
  EXPECT_FALSE(is_there());
}

TEST_F(ExpiryTest, ASandboxIsStoppedWhenNothingRunsInIt) {
  make_expiring(0, 600);
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  daemon->expiry.enforce(now() + minutes(9));
  EXPECT_EQ(status("box"), wire::Status::kRunning);
  daemon->expiry.enforce(now() + minutes(11));
  EXPECT_EQ(status("box"), wire::Status::kStopped);
  daemon->expiry.enforce(now() + hours(1));  // and stays as it is
  EXPECT_EQ(status("box"), wire::Status::kStopped);
}

TEST_F(ExpiryTest, ASandboxThatIsBeingWorkedOnIsNotWaitedFor) {
  make_expiring(0, 600);
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  const auto sandbox = daemon->registry.find("box").value();
  {
    const std::scoped_lock save(sandbox->operation());
    const WallTime time = now() + minutes(11);
    auto next = std::async(std::launch::async, [&] { return daemon->expiry.enforce(time); });
    EXPECT_LE(next.get(), time + minutes(1));
    EXPECT_EQ(status("box"), wire::Status::kRunning);
  }
  daemon->expiry.enforce(now() + minutes(12));
  EXPECT_EQ(status("box"), wire::Status::kStopped);
}

TEST_F(ExpiryTest, OthersAreLeftAlone) {
  make("box");
  daemon->expiry.enforce(now() + hours(100000));
  EXPECT_TRUE(is_there());
}

}  // namespace
}  // namespace sbx::sandboxes
