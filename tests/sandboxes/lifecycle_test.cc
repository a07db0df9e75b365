// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/lifecycle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "base/value.h"
#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

using LifecycleTest = sbx::testing::DaemonTest;

TEST_F(LifecycleTest, AMachineIsPreparedAtCreateAndBeforeEachStart) {
  int prepared = 0;
  backends::MachineSpec last;
  world.on_prepare = [&](const backends::MachineSpec& spec) {
    ++prepared;
    last = spec;
    return Ok{};
  };
  std::vector<std::string> steps;
  const auto note = [&](std::string_view step, std::int64_t, std::int64_t) { steps.emplace_back(step); };
  ASSERT_TRUE(daemon->creation.create(world.virtual_machine("box"), note));
  EXPECT_EQ(steps, (std::vector<std::string>{"unpacking", "making a disk"}));
  EXPECT_EQ(prepared, 1);
  EXPECT_EQ(last.cache_directory, world.home.root() + "/cache");
  EXPECT_EQ(last.template_layers, std::vector<std::string>{world.template_root});
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  EXPECT_EQ(prepared, 2);
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  EXPECT_EQ(prepared, 2) << "it ran already";
}

TEST_F(LifecycleTest, AGuestWithAKernelOfItsOwnIsToldMountsTimeAndHowManyProcesses) {
  const auto guest = [&](const std::string& name) {
    EXPECT_TRUE(daemon->lifecycle.start(name));
    return *value_in<wire::GuestConfig>(*read_file(world.home.machine(name) + "/guest.json"), "guest");
  };
  make("plain");
  EXPECT_TRUE(guest("plain").mounts.empty());
  EXPECT_EQ(guest("plain").clock_us, 0);
  EXPECT_EQ(guest("plain").max_processes, 0);
  ASSERT_TRUE(daemon->creation.create(world.virtual_machine("own"), {}));
  ASSERT_EQ(guest("own").mounts.size(), 1u);
  EXPECT_EQ(guest("own").mounts.front().target, world.workspace);
  EXPECT_EQ(guest("own").max_processes, daemon->registry.info("own")->limits.pids);
  EXPECT_NEAR(
      static_cast<double>(guest("own").clock_us),
      static_cast<double>(std::chrono::microseconds(now().time_since_epoch() / std::chrono::microseconds(1)).count()),
      6e8);
}

TEST_F(LifecycleTest, NothingBelowTheMinimumIsMadeOrStarted) {
  make("box");
  world.configure(R"({"minimumIsolation": "microvm-emulated"})");
  const auto made = daemon->creation.create(world.request("second"), {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), Code::kForbidden);
  EXPECT_NE(made.error().what().find(world.config_file), std::string::npos) << made.error().what();
  const auto started = daemon->lifecycle.start("box");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code(), Code::kForbidden);
  EXPECT_EQ(status("box"), wire::Status::kStopped);
  ASSERT_TRUE(daemon->creation.create(world.virtual_machine("vm"), {}));
  EXPECT_TRUE(daemon->lifecycle.start("vm"));
}

TEST_F(LifecycleTest, AMachineThatBecameLessThanPromisedIsEnded) {
  world.configure(R"({"minimumIsolation": "microvm-emulated"})");
  ASSERT_TRUE(daemon->creation.create(world.virtual_machine("box", "weaker"), {}));
  const auto started = daemon->lifecycle.start("box");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code(), Code::kForbidden);
  EXPECT_EQ(status("box"), wire::Status::kStopped);
  EXPECT_FALSE(world.has_leftovers("box"));
}

TEST_F(LifecycleTest, WithABadFileNothingNewBeginsAndEverythingCanEnd) {
  make("box");
  make("second");
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  world.configure(R"({"backed": "microvm"})");
  for (const auto& error :
       {daemon->creation.create(world.request("third"), {}).error(), daemon->lifecycle.start("second").error()})
    EXPECT_NE(error.what().find(world.config_file + ": unknown member \"backed\""), std::string::npos) << error.what();
  EXPECT_EQ(daemon->registry.list().size(), 2u);
  EXPECT_TRUE(daemon->lifecycle.stop("box"));
  EXPECT_TRUE(daemon->removal.remove("box"));
}

TEST_F(LifecycleTest, StartsAndStops) {
  make("box");
  const auto started = daemon->lifecycle.start("box");
  ASSERT_TRUE(started) << started.error().what();
  EXPECT_EQ(started->status, wire::Status::kRunning);
  EXPECT_GT(started->shim_pid, 0);
  EXPECT_EQ(started->timings.front(), std::pair(std::string("boot"), INT64_C(7)));
  EXPECT_EQ(daemon->lifecycle.start("box")->shim_pid, started->shim_pid);
  const auto stopped = daemon->lifecycle.stop("box");
  ASSERT_TRUE(stopped) << stopped.error().what();
  EXPECT_EQ(stopped->status, wire::Status::kStopped);
  EXPECT_EQ(stopped->reason, "");
  EXPECT_EQ(stopped->timings.front(), std::pair(std::string("boot"), INT64_C(7)));
  EXPECT_FALSE(exists(world.home.machine("box") + "/machine.json"));
  EXPECT_TRUE(daemon->lifecycle.stop("box"));
}

TEST_F(LifecycleTest, StartingAtOnceStartsOneMachine) {
  make("box");
  std::vector<std::int64_t> pids(4);
  std::vector<std::jthread> threads;
  for (auto& pid : pids) threads.emplace_back([&] { pid = daemon->lifecycle.start("box")->shim_pid; });
  threads.clear();
  EXPECT_TRUE(std::ranges::all_of(pids, [&](auto pid) { return pid == pids.front() && pid > 0; }));
}

TEST_F(LifecycleTest, TheShimsOwnErrorIsTold) {
  make("box", "refuse");
  const auto started = daemon->lifecycle.start("box");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().what(), "start box: no runtime");
  EXPECT_EQ(started.error().code(), Code::kUnavailable);
  EXPECT_EQ(started.error().hint(), "apt install runc");
  EXPECT_EQ(status("box"), wire::Status::kStopped);
}

TEST_F(LifecycleTest, ASilentShimsLogIsTold) {
  make("box", "silent");
  const auto started = daemon->lifecycle.start("box");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().what(), "start box: the shim ended with status 3: cannot go on");
}

TEST_F(LifecycleTest, ADeafShimIsKilled) {
  make("box", "deaf");
  const auto started = daemon->lifecycle.start("box");
  ASSERT_TRUE(started);
  const auto stopped = daemon->lifecycle.stop("box", std::chrono::milliseconds(0));
  ASSERT_TRUE(stopped) << stopped.error().what();
  EXPECT_EQ(stopped->status, wire::Status::kStopped);
  EXPECT_EQ(stopped->reason, "");
  EXPECT_FALSE(world.has_leftovers("box"));
}

TEST_F(LifecycleTest, AVanishedWorkspaceIsNamed) {
  make("box");
  ASSERT_TRUE(remove_tree(world.workspace));
  EXPECT_TRUE(daemon->registry.info("box")->workspace_missing);
  const auto started = daemon->lifecycle.start("box");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().what(),
            "start box: workspace " + world.workspace + ": open " + world.workspace + ": No such file or directory");
  EXPECT_EQ(started.error().code(), Code::kConflict);
}

}  // namespace
}  // namespace sbx::sandboxes
