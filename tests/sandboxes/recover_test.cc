// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>

#include "base/child.h"
#include "base/fault_points.h"
#include "sandboxes/shim_lock.h"
#include "support/fake_world.h"

namespace sbx::sandboxes {
namespace {

using sbx::testing::FakeWorld;

void live_until(const FakeWorld& world, const std::string& point) {
  Command victim;
  victim.argv = {FAKE_DAEMON, world.root};
  victim.environment = {"SANDBOXD_FAULT=" + point};
  auto child = Child::start(victim);
  ASSERT_TRUE(child) << child.error().what();
  EXPECT_EQ(child->wait()->signal, SIGKILL) << point << " was not reached";
}

TEST(Recover, AfterAKillAtAnyPointTheSandboxIsWholeOrGone) {
  for (const FaultPoint& point : fault_points()) {
    if (point.process != "sandboxd") continue;
    SCOPED_TRACE(point.name);
    FakeWorld world;
    live_until(world, std::string(point.name));
    {
      const auto daemon = world.daemon();
      for (const auto& info : daemon->list()) {
        EXPECT_TRUE(info.status == "running" || info.status == "stopped") << info.status << ": " << info.reason;
        const auto started = daemon->start(info.name);
        EXPECT_TRUE(started) << started.error().what();
        const auto removed = daemon->remove(info.name);
        EXPECT_TRUE(removed) << removed.error().what();
      }
      EXPECT_TRUE(daemon->list().empty());
    }
    EXPECT_TRUE(store::Store(world.home).names()->empty());
    EXPECT_FALSE(exists(world.home.machine("box")));
    EXPECT_FALSE(world.has_leftovers("box"));
    EXPECT_EQ(*read_file(world.workspace + "/precious"), "bytes");
  }
}

TEST(Recover, ARunningSandboxIsFoundAndUsable) {
  FakeWorld world;
  std::int64_t pid = 0;
  {
    const auto first = world.daemon();
    ASSERT_TRUE(first->create(world.request("box"), {}));
    pid = first->start("box")->shim_pid;
  }
  const auto second = world.daemon();
  const auto info = second->info("box");
  EXPECT_EQ(info->status, "running");
  EXPECT_EQ(info->shim_pid, pid);
  EXPECT_EQ(info->timings["boot"], 7);
  EXPECT_EQ(second->stop("box")->status, "stopped");
  EXPECT_TRUE(second->remove("box"));
}

TEST(Recover, AMachineThatDiedMeanwhileIsCleanedUpAndSaysSo) {
  FakeWorld world;
  {
    const auto first = world.daemon();
    ASSERT_TRUE(first->create(world.request("box"), {}));
    ASSERT_TRUE(first->start("box"));
  }
  const auto shim = living_shim(world.home.machine("box")).value();
  ASSERT_TRUE(shim);
  shim->kill();
  ASSERT_TRUE(shim->wait_for_end(std::chrono::seconds(10)));
  (void)shim->reap();
  const auto second = world.daemon();
  EXPECT_EQ(second->info("box")->status, "stopped");
  EXPECT_EQ(second->info("box")->reason, "the machine ended while no daemon was there");
  EXPECT_FALSE(world.has_leftovers("box"));
  EXPECT_FALSE(living_shim(world.home.machine("box")).value());
}

TEST(Recover, AStartThatNobodyWaitsForAnyMoreIsEnded) {
  FakeWorld world;
  {
    const auto daemon = world.daemon();
    ASSERT_TRUE(daemon->create(world.request("box", "hang"), {}));
  }
  live_until(world, "start.spawned");
  const auto shim = living_shim(world.home.machine("box")).value();
  ASSERT_TRUE(shim);
  const auto daemon = world.daemon();
  EXPECT_TRUE(shim->wait_for_end(std::chrono::seconds(10)));
  EXPECT_EQ(daemon->info("box")->status, "stopped");
  EXPECT_FALSE(world.has_leftovers("box"));
}

class GarbledRecord : public ::testing::Test {
 protected:
  GarbledRecord() {
    const auto daemon = world.daemon();
    EXPECT_TRUE(daemon->create(world.request("good"), {}));
    EXPECT_TRUE(daemon->create(world.request("bad"), {}));
  }
  FakeWorld world;
  const std::string path = world.home.machine("bad") + "/metadata.json";
};

TEST_F(GarbledRecord, HidesNobodyElseAndNamesTheFile) {
  ASSERT_TRUE(replace_file(path, R"({"version": 1, "na)"));
  const auto daemon = world.daemon();
  ASSERT_EQ(daemon->list().size(), 2u);
  EXPECT_EQ(daemon->info("good")->status, "stopped");
  EXPECT_EQ(daemon->info("bad")->status, "failed");
  EXPECT_NE(daemon->info("bad")->reason.find(path), std::string::npos);
  const auto started = daemon->start("bad");
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().what().find(path), std::string::npos);
  EXPECT_EQ(started.error().hint(), "sandbox rm bad");
}

TEST_F(GarbledRecord, CanBeRemoved) {
  ASSERT_TRUE(replace_file(path, ""));
  const auto daemon = world.daemon();
  const auto removed = daemon->remove("bad");
  ASSERT_TRUE(removed) << removed.error().what();
  EXPECT_FALSE(exists(world.home.machine("bad")));
  EXPECT_TRUE(exists(world.workspace + "/precious"));
}

TEST_F(GarbledRecord, CanBeRemovedWhileItsMachineRuns) {
  ASSERT_TRUE(world.daemon()->start("bad"));
  ASSERT_TRUE(replace_file(path, "garbage"));
  const auto shim = living_shim(world.home.machine("bad")).value();
  ASSERT_TRUE(shim);
  const auto removed = world.daemon()->remove("bad");
  ASSERT_TRUE(removed) << removed.error().what();
  EXPECT_TRUE(shim->wait_for_end(std::chrono::seconds(10)));
  EXPECT_FALSE(world.has_leftovers("bad"));
}

TEST_F(GarbledRecord, OfAnotherVersionIsLeftAlone) {
  auto json = *parse_json(*read_file(path));
  json["version"] = 99;
  ASSERT_TRUE(replace_file(path, dump(json)));
  const auto daemon = world.daemon();
  EXPECT_EQ(daemon->info("bad")->status, "failed");
  EXPECT_EQ(*read_file(path), dump(json));
}

TEST(Recover, ADirectoryWithoutARecordGoes) {
  FakeWorld world;
  ASSERT_TRUE(make_directories(world.home.machine("half") + "/disk/upper"));
  EXPECT_TRUE(world.daemon()->list().empty());
  EXPECT_FALSE(exists(world.home.machine("half")));
}

}  // namespace
}  // namespace sbx::sandboxes
