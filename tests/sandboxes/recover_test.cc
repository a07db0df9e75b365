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
    return info.status == "failed" && info.reason.find(words) != std::string::npos;
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
    EXPECT_TRUE(says(*daemon->info("bad"), member)) << member << ": " << daemon->info("bad")->reason;
    EXPECT_EQ(daemon->info("good")->status, "stopped");
    EXPECT_FALSE(daemon->start("bad"));
    EXPECT_EQ(*read_file(path), before);
    EXPECT_TRUE(exists(world.home.machine("bad") + "/proxy-config.json"));
    change("id_base", 0x70020000);
    change("hostname", "bad");
    change("backend", "fake");
    change("id", "1b4e28ba-2fa1-41d2-883f-0016d3cca427");
  }
  EXPECT_TRUE(cleaned.empty());
  EXPECT_EQ(world.daemon()->info("bad")->status, "stopped") << "as it was, it is believed";
}

TEST_F(TamperedRecord, WithTheIdOfAnotherBothAreLeftAlone) {
  for (const char* member : {"id", "id_base"}) {
    const Json before = (*parse_json(*read_file(path)))[member];
    change(member, of_good(member));
    const auto daemon = world.daemon();
    EXPECT_TRUE(says(*daemon->info("bad"), "is also that of sandbox good")) << daemon->info("bad")->reason;
    EXPECT_TRUE(says(*daemon->info("good"), "is also that of sandbox bad")) << daemon->info("good")->reason;
    change(member, before);
  }
}

TEST_F(TamperedRecord, AMachineFileDoesNotLendAnothersIdToWhatIsRemoved) {
  ASSERT_TRUE(world.daemon()->start("good"));
  const std::string machine = world.home.machine("good") + "/machine.json";
  Json json = *parse_json(*read_file(machine));
  json["name"] = "bad";
  json["state_directory"] = world.home.machine("bad");
  ASSERT_TRUE(replace_file(world.home.machine("bad") + "/machine.json", dump(json)));
  ASSERT_TRUE(replace_file(path, "garbage"));
  std::vector<std::string> cleaned;
  world.on_clean_up = [&](const backends::MachineSpec& spec) { cleaned.push_back(spec.id); };
  const auto daemon = world.daemon();
  ASSERT_TRUE(daemon->remove("bad"));
  EXPECT_FALSE(cleaned.empty());
  for (const std::string& id : cleaned) EXPECT_EQ(id, "");
  EXPECT_EQ(daemon->info("good")->status, "running");
  EXPECT_TRUE(daemon->remove("good"));
}

TEST_F(TamperedRecord, AMachineFileWithAnIdThatIsNoneIsNotUsed) {
  ASSERT_TRUE(world.daemon()->start("bad"));
  const std::string machine = world.home.machine("bad") + "/machine.json";
  Json json = *parse_json(*read_file(machine));
  json["id"] = "../../..";
  ASSERT_TRUE(replace_file(machine, dump(json)));
  ASSERT_TRUE(replace_file(path, "garbage"));
  std::vector<std::string> cleaned;
  world.on_clean_up = [&](const backends::MachineSpec& spec) { cleaned.push_back(spec.id); };
  ASSERT_TRUE(world.daemon()->remove("bad"));
  for (const std::string& id : cleaned) EXPECT_EQ(id, "");
}

TEST_F(TamperedRecord, TheIdsOfAMachineWhoseRecordIsGarbledAreNotGivenToAnother) {
  ASSERT_TRUE(world.daemon()->start("bad"));
  const auto ids = store::Store(world.home).load("bad")->id_base;
  ASSERT_TRUE(replace_file(path, "garbage"));
  const auto daemon = world.daemon();
  ASSERT_TRUE(daemon->create(world.request("new"), {}));
  EXPECT_NE(store::Store(world.home).load("new")->id_base, ids);
  EXPECT_EQ(daemon->info("bad")->mounts.front().source, world.workspace) << "what it can write to is known";
  EXPECT_TRUE(daemon->remove("bad"));
}

TEST(Recover, ADirectoryWithoutARecordGoes) {
  FakeWorld world;
  ASSERT_TRUE(make_directories(world.home.machine("half") + "/disk/upper"));
  EXPECT_TRUE(world.daemon()->list().empty());
  EXPECT_FALSE(exists(world.home.machine("half")));
}

}  // namespace
}  // namespace sbx::sandboxes
