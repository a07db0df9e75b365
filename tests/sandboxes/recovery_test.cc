// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/recovery.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "base/child.h"
#include "base/fault_points.h"
#include "sandboxes/shim_lock.h"
#include "support/fake_world.h"
#include "support/paths.h"

namespace sbx::sandboxes {
namespace {

using sbx::testing::FakeWorld;

void live_until(const FakeWorld& world, const std::string& point) {
  Command victim;
  victim.argv = {sbx::testing::test_program("fake_daemon"), world.root};
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
      for (const auto& info : daemon->registry.list()) {
        EXPECT_TRUE(info.status == wire::Status::kRunning || info.status == wire::Status::kStopped)
            << word_of(info.status) << ": " << info.reason;
        const auto started = daemon->lifecycle.start(info.name);
        EXPECT_TRUE(started) << started.error().what();
        const auto removed = daemon->removal.remove(info.name);
        EXPECT_TRUE(removed) << removed.error().what();
      }
      EXPECT_TRUE(daemon->registry.list().empty());
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
    ASSERT_TRUE(first->creation.create(world.request("box"), {}));
    pid = first->lifecycle.start("box")->shim_pid;
  }
  const auto second = world.daemon();
  const auto info = second->registry.info("box");
  EXPECT_EQ(info->status, wire::Status::kRunning);
  EXPECT_EQ(info->shim_pid, pid);
  EXPECT_EQ(info->timings.front(), std::pair(std::string("boot"), INT64_C(7)));
  EXPECT_EQ(second->lifecycle.stop("box")->status, wire::Status::kStopped);
  EXPECT_TRUE(second->removal.remove("box"));
}

TEST(Recover, AMachineThatDiedMeanwhileIsCleanedUpAndSaysSo) {
  FakeWorld world;
  {
    const auto first = world.daemon();
    ASSERT_TRUE(first->creation.create(world.request("box"), {}));
    ASSERT_TRUE(first->lifecycle.start("box"));
  }
  const auto shim = living_shim(world.home.machine("box")).value();
  ASSERT_TRUE(shim);
  shim->kill();
  ASSERT_TRUE(shim->wait_for_end(std::chrono::seconds(10)));
  (void)shim->reap();
  const auto second = world.daemon();
  EXPECT_EQ(second->registry.info("box")->status, wire::Status::kStopped);
  EXPECT_EQ(second->registry.info("box")->reason, "the machine ended while no daemon was there");
  EXPECT_FALSE(world.has_leftovers("box"));
  EXPECT_FALSE(living_shim(world.home.machine("box")).value());
}

TEST(Recover, AStartThatNobodyWaitsForAnyMoreIsEnded) {
  FakeWorld world;
  {
    const auto daemon = world.daemon();
    ASSERT_TRUE(daemon->creation.create(world.request("box", "hang"), {}));
  }
  live_until(world, "start.spawned");
  const auto shim = living_shim(world.home.machine("box")).value();
  ASSERT_TRUE(shim);
  const auto daemon = world.daemon();
  EXPECT_TRUE(shim->wait_for_end(std::chrono::seconds(10)));
  EXPECT_EQ(daemon->registry.info("box")->status, wire::Status::kStopped);
  EXPECT_FALSE(world.has_leftovers("box"));
}

class GarbledRecord : public ::testing::Test {
 protected:
  GarbledRecord() {
    const auto daemon = world.daemon();
    EXPECT_TRUE(daemon->creation.create(world.request("good"), {}));
    EXPECT_TRUE(daemon->creation.create(world.request("bad"), {}));
  }
  FakeWorld world;
  const std::string path = world.home.machine("bad") + "/metadata.json";
};

TEST_F(GarbledRecord, HidesNobodyElseAndNamesTheFile) {
  ASSERT_TRUE(replace_file(path, R"({"version": 1, "na)"));
  const auto daemon = world.daemon();
  ASSERT_EQ(daemon->registry.list().size(), 2u);
  EXPECT_EQ(daemon->registry.info("good")->status, wire::Status::kStopped);
  EXPECT_EQ(daemon->registry.info("bad")->status, wire::Status::kFailed);
  EXPECT_NE(daemon->registry.info("bad")->reason.find(path), std::string::npos);
  const auto started = daemon->lifecycle.start("bad");
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().what().find(path), std::string::npos);
  EXPECT_EQ(started.error().hint(), "look at " + path);
}

TEST_F(GarbledRecord, CanBeRemoved) {
  ASSERT_TRUE(replace_file(path, ""));
  const auto daemon = world.daemon();
  const auto removed = daemon->removal.remove("bad");
  ASSERT_TRUE(removed) << removed.error().what();
  EXPECT_FALSE(exists(world.home.machine("bad")));
  EXPECT_TRUE(exists(world.workspace + "/precious"));
}

TEST_F(GarbledRecord, CanBeRemovedWhileItsMachineRuns) {
  ASSERT_TRUE(world.daemon()->lifecycle.start("bad"));
  ASSERT_TRUE(replace_file(path, "garbage"));
  const auto shim = living_shim(world.home.machine("bad")).value();
  ASSERT_TRUE(shim);
  const auto removed = world.daemon()->removal.remove("bad");
  ASSERT_TRUE(removed) << removed.error().what();
  EXPECT_TRUE(shim->wait_for_end(std::chrono::seconds(10)));
  EXPECT_FALSE(world.has_leftovers("bad"));
}

TEST_F(GarbledRecord, OfAnotherVersionIsLeftAlone) {
  auto json = *parse_json(*read_file(path));
  json["version"] = json["minimum_reader"] = 99;
  ASSERT_TRUE(replace_file(path, dump(json)));
  const auto daemon = world.daemon();
  EXPECT_EQ(daemon->registry.info("bad")->status, wire::Status::kFailed);
  EXPECT_EQ(*read_file(path), dump(json));
}

// One member of the record of "bad" is changed, as by a hand that should not be there.
class TamperedRecord : public GarbledRecord {
 protected:
  void change(const std::string& member, const Json& value) {
    Json json = *parse_json(*read_file(path));
    json[member] = value;
    ASSERT_TRUE(replace_file(path, dump(json)));
  }
  Json of_good(const char* member) const {
    return (*parse_json(*read_file(world.home.machine("good") + "/metadata.json")))[member];
  }
  static bool says(const wire::SandboxInfo& info, const std::string& words) {
    return info.status == wire::Status::kFailed && info.reason.find(words) != std::string::npos;
  }
};

TEST_F(TamperedRecord, IsNotActedOnAndSaysWhatIsWrong) {
  std::vector<std::string> cleaned;
  world.on_clean_up = [&](const backends::MachineSpec& spec) { cleaned.push_back(spec.id); };
  for (const auto& [member, value] : std::vector<std::pair<std::string, Json>>{
           {"id", "../../.."}, {"id_base", 0}, {"id_base", 1000}, {"hostname", "../x"}, {"backend", "nosuch"}}) {
    change(member, value);
    const std::string before = *read_file(path);
    const auto daemon = world.daemon();
    EXPECT_TRUE(says(*daemon->registry.info("bad"), member)) << member << ": " << daemon->registry.info("bad")->reason;
    EXPECT_EQ(daemon->registry.info("good")->status, wire::Status::kStopped);
    EXPECT_FALSE(daemon->lifecycle.start("bad"));
    EXPECT_EQ(*read_file(path), before);
    EXPECT_TRUE(exists(world.home.machine("bad") + "/proxy-config.json"));
    change("id_base", 0x70020000);
    change("hostname", "bad");
    change("backend", "fake");
    change("id", "1b4e28ba-2fa1-41d2-883f-0016d3cca427");
  }
  EXPECT_TRUE(cleaned.empty());
  EXPECT_EQ(world.daemon()->registry.info("bad")->status, wire::Status::kStopped) << "as it was, it is believed";
}

TEST_F(TamperedRecord, WithTheIdOfAnotherBothAreLeftAlone) {
  for (const char* member : {"id", "id_base"}) {
    const Json before = (*parse_json(*read_file(path)))[member];
    change(member, of_good(member));
    const auto daemon = world.daemon();
    EXPECT_TRUE(says(*daemon->registry.info("bad"), "is also that of sandbox good"))
        << daemon->registry.info("bad")->reason;
    EXPECT_TRUE(says(*daemon->registry.info("good"), "is also that of sandbox bad"))
        << daemon->registry.info("good")->reason;
    change(member, before);
  }
}

TEST_F(TamperedRecord, AMachineFileDoesNotLendAnothersIdToWhatIsRemoved) {
  ASSERT_TRUE(world.daemon()->lifecycle.start("good"));
  const std::string machine = world.home.machine("good") + "/machine.json";
  Json json = *parse_json(*read_file(machine));
  json["name"] = "bad";
  json["state_directory"] = world.home.machine("bad");
  ASSERT_TRUE(replace_file(world.home.machine("bad") + "/machine.json", dump(json)));
  ASSERT_TRUE(replace_file(path, "garbage"));
  std::vector<std::string> cleaned;
  world.on_clean_up = [&](const backends::MachineSpec& spec) { cleaned.push_back(spec.id); };
  const auto daemon = world.daemon();
  ASSERT_TRUE(daemon->removal.remove("bad"));
  EXPECT_FALSE(cleaned.empty());
  for (const std::string& id : cleaned) EXPECT_EQ(id, "");
  EXPECT_EQ(daemon->registry.info("good")->status, wire::Status::kRunning);
  EXPECT_TRUE(daemon->removal.remove("good"));
}

TEST_F(TamperedRecord, AMachineFileWithAnIdThatIsNoneIsNotUsed) {
  ASSERT_TRUE(world.daemon()->lifecycle.start("bad"));
  const std::string machine = world.home.machine("bad") + "/machine.json";
  Json json = *parse_json(*read_file(machine));
  json["id"] = "../../..";
  ASSERT_TRUE(replace_file(machine, dump(json)));
  ASSERT_TRUE(replace_file(path, "garbage"));
  std::vector<std::string> cleaned;
  world.on_clean_up = [&](const backends::MachineSpec& spec) { cleaned.push_back(spec.id); };
  ASSERT_TRUE(world.daemon()->removal.remove("bad"));
  for (const std::string& id : cleaned) EXPECT_EQ(id, "");
}

TEST_F(TamperedRecord, TheIdsOfAMachineWhoseRecordIsGarbledAreNotGivenToAnother) {
  ASSERT_TRUE(world.daemon()->lifecycle.start("bad"));
  const auto ids = store::Store(world.home).load("bad")->id_base;
  ASSERT_TRUE(replace_file(path, "garbage"));
  const auto daemon = world.daemon();
  ASSERT_TRUE(daemon->creation.create(world.request("new"), {}));
  EXPECT_NE(store::Store(world.home).load("new")->id_base, ids);
  EXPECT_EQ(daemon->registry.info("bad")->mounts.front().source, world.workspace) << "what it can write to is known";
  EXPECT_TRUE(daemon->removal.remove("bad"));
}

TEST(Recover, ADirectoryWithoutARecordGoes) {
  FakeWorld world;
  ASSERT_TRUE(make_directories(world.home.machine("half") + "/disk/upper"));
  EXPECT_TRUE(world.daemon()->registry.list().empty());
  EXPECT_FALSE(exists(world.home.machine("half")));
}

}  // namespace
}  // namespace sbx::sandboxes
