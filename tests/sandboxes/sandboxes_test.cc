// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/sandboxes.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <thread>

#include "support/fake_world.h"

namespace sbx::sandboxes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class SandboxesTest : public ::testing::Test {
 protected:
  void make(const std::string& name, const std::string& manner = "") {
    const auto created = daemon->create(world.request(name, manner), {});
    ASSERT_TRUE(created) << created.error().what();
  }
  std::string status(const std::string& name) { return daemon->info(name)->status; }

  // Until the event comes; the test's own time limit is the only other end.
  wire::Event await(Events::Listener& listener, const std::string& kind) {
    for (;;)
      if (auto event = listener.next(seconds(1)); event && event->kind == kind) return *event;
  }
  void TearDown() override { EXPECT_TRUE(daemon->reset()); }

  sbx::testing::FakeWorld world;
  std::unique_ptr<Sandboxes> daemon = world.daemon();
};

TEST_F(SandboxesTest, ANewOneIsStoppedAndWhole) {
  wire::CreateRequest request = world.request();
  request.environment = {{"K", "V"}};
  request.limits.pids = 7;
  const auto info = daemon->create(request, {});
  ASSERT_TRUE(info) << info.error().what();
  EXPECT_EQ(info->name, "shell-project");
  EXPECT_EQ(info->status, "stopped");
  EXPECT_TRUE(info->created);
  EXPECT_EQ(info->template_digest, "sha256:" + world.template_digest);
  EXPECT_EQ(info->limits.pids, 7);
  const auto record = store::Store(world.home).load("shell-project");
  ASSERT_TRUE(record) << record.error().what();
  EXPECT_EQ(record->phase, store::Phase::kReady);
  EXPECT_EQ(record->id, info->id);
}

TEST_F(SandboxesTest, HasAnAuthorityWhoseKeyIsPrivate) {
  make("box");
  struct stat key {};
  struct stat certificate {};
  ASSERT_EQ(::stat((world.home.machine("box") + "/proxy_cacerts/proxy-ca.key").c_str(), &key), 0);
  ASSERT_EQ(::stat((world.home.machine("box") + "/proxy_cacerts/proxy-ca.crt").c_str(), &certificate), 0);
  EXPECT_EQ(key.st_mode & 0777u, 0600u);
  EXPECT_EQ(certificate.st_mode & 0777u, 0644u);
}

TEST_F(SandboxesTest, ASecondDirectoryOfTheSameNameGetsANumber) {
  ASSERT_TRUE(daemon->create(world.request(), {}));
  wire::CreateRequest other = world.request();
  const std::string path = world.root + "/elsewhere/project";
  ASSERT_TRUE(make_directories(path));
  other.workspaces = {{path, path, false}};
  other.reuse = true;
  EXPECT_EQ(daemon->create(other, {})->name, "shell-project-2");
}

TEST_F(SandboxesTest, TheSameAgentAndDirectoryIsTheSameSandbox) {
  wire::CreateRequest request = world.request();
  request.reuse = true;
  const auto first = daemon->create(request, {});
  const auto second = daemon->create(request, {});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->id, second->id);
  EXPECT_FALSE(second->created);
  request.agent = "another";
  EXPECT_NE(daemon->create(request, {})->id, first->id);
}

TEST_F(SandboxesTest, ANameOfAnotherAgentOrDirectoryIsAConflict) {
  make("box");
  EXPECT_EQ(daemon->create(world.request("box"), {}).error().code(), Code::kConflict);
  wire::CreateRequest request = world.request("box");
  request.reuse = true;
  EXPECT_TRUE(daemon->create(request, {}));
  request.agent = "another";
  EXPECT_EQ(daemon->create(request, {}).error().code(), Code::kConflict);
  request = world.request("box");
  request.reuse = true;
  ASSERT_TRUE(make_directories(world.root + "/elsewhere"));
  request.workspaces = {{world.root + "/elsewhere", world.root + "/elsewhere", false}};
  EXPECT_EQ(daemon->create(request, {}).error().code(), Code::kConflict);
}

TEST_F(SandboxesTest, OfTwoCreatesOfOneNameAtOnceOneWins) {
  std::atomic<int> made{0};
  std::atomic<int> refused{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      const auto created = daemon->create(world.request("box"), {});
      if (created) ++made;
      if (!created && created.error().code() == Code::kConflict) ++refused;
    });
  threads.clear();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(refused, 5);
}

TEST_F(SandboxesTest, EqualRequestsAtOnceGetTheSameSandbox) {
  wire::CreateRequest request = world.request();
  request.reuse = true;
  std::vector<std::string> ids(6);
  std::vector<std::jthread> threads;
  for (auto& id : ids)
    threads.emplace_back([&] {
      const auto created = daemon->create(request, {});
      if (created) id = created->id;
    });
  threads.clear();
  EXPECT_FALSE(ids.front().empty());
  EXPECT_TRUE(std::ranges::all_of(ids, [&](const auto& id) { return id == ids.front(); }));
  EXPECT_EQ(daemon->list().size(), 1u);
}

TEST_F(SandboxesTest, ACreateThatIsAskedForAgainIsTheSameSandboxAsIfItHadJustBeenMade) {
  const auto key = wire::RequestKey::random();
  const auto first = daemon->create(world.request(), {}, key);
  ASSERT_TRUE(first);
  daemon.reset();
  daemon = world.daemon();
  const auto again = daemon->create(world.request(), {}, key);
  ASSERT_TRUE(again) << again.error().what();
  EXPECT_EQ(again->id, first->id);
  EXPECT_TRUE(again->created);
  EXPECT_EQ(daemon->list().size(), 1u);
  EXPECT_EQ(daemon->create(world.request(), {})->name, "shell-project-2") << "another request";
}

TEST_F(SandboxesTest, ACreateThatIsAskedForAgainWhileItIsMadeWaitsForIt) {
  const auto key = wire::RequestKey::random();
  std::latch reached(1);
  std::latch go_on(1);
  world.before_template = [&](const std::string& name) {
    reached.count_down();
    go_on.wait();
    return world.template_named(name);
  };
  std::vector<std::string> ids(2);
  std::jthread first([&] { ids[0] = daemon->create(world.request("box"), {}, key)->id; });
  reached.wait();
  std::jthread second([&] { ids[1] = daemon->create(world.request("box"), {}, key)->id; });
  go_on.count_down();
  first.join();
  second.join();
  EXPECT_EQ(ids[0], ids[1]);
}

TEST_F(SandboxesTest, AKeyOfACreateIsNotGoodForAnother) {
  const auto key = wire::RequestKey::random();
  ASSERT_TRUE(daemon->create(world.request("box"), {}, key));
  const auto other = daemon->create(world.request("other"), {}, key);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), Code::kConflict);
  EXPECT_EQ(daemon->list().size(), 1u);
  ASSERT_TRUE(daemon->remove("box"));
  EXPECT_TRUE(daemon->create(world.request("other"), {}, key)) << "it goes with its sandbox";
}

TEST_F(SandboxesTest, ACreateThatFailsLeavesNothing) {
  world.before_template = [](const std::string&) { return fail(Code::kInternal, "No space left on device"); };
  const auto created = daemon->create(world.request("box"), {});
  ASSERT_FALSE(created);
  EXPECT_NE(created.error().what().find("create box: No space left"), std::string::npos);
  EXPECT_TRUE(daemon->list().empty());
  EXPECT_FALSE(exists(world.home.machine("box")));
}

TEST_F(SandboxesTest, ListDoesNotWaitForASlowCreate) {
  std::latch reached(1);
  std::latch go_on(1);
  world.before_template = [&](const std::string& name) {
    reached.count_down();
    go_on.wait();
    return world.template_named(name);
  };
  std::jthread creator([&] { EXPECT_TRUE(daemon->create(world.request("box"), {})); });
  reached.wait();
  EXPECT_EQ(status("box"), "creating");
  EXPECT_EQ(daemon->list().size(), 1u);
  EXPECT_EQ(daemon->create(world.request("box"), {}).error().code(), Code::kConflict);
  go_on.count_down();
  creator.join();
  EXPECT_EQ(status("box"), "stopped");
}

TEST_F(SandboxesTest, RefusesBadNames) {
  for (const auto& name : {std::string("../x"), std::string(200, 'x'), std::string("a b"), std::string("x")}) {
    EXPECT_EQ(daemon->create(world.request(name), {}).error().code(), Code::kInvalid) << name;
    EXPECT_EQ(daemon->remove(name).error().code(), Code::kInvalid) << name;
  }
}

TEST_F(SandboxesTest, ACreateWhoseMachineCannotBePreparedLeavesNothing) {
  world.on_prepare = [](const auto&) { return fail(Code::kInternal, "No space left on device"); };
  const auto created = daemon->create(world.virtual_machine("box"), {});
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().what(), "create box: No space left on device");
  EXPECT_TRUE(daemon->list().empty());
  EXPECT_FALSE(exists(world.home.machine("box")));
}

TEST_F(SandboxesTest, AMachineIsPreparedAtCreateAndBeforeEachStart) {
  int prepared = 0;
  backends::MachineSpec last;
  world.on_prepare = [&](const backends::MachineSpec& spec) {
    ++prepared;
    last = spec;
    return Ok{};
  };
  std::vector<std::string> steps;
  const auto note = [&](std::string_view step, std::int64_t, std::int64_t) { steps.emplace_back(step); };
  ASSERT_TRUE(daemon->create(world.virtual_machine("box"), note));
  EXPECT_EQ(steps, (std::vector<std::string>{"unpacking", "making a disk"}));
  EXPECT_EQ(prepared, 1);
  EXPECT_EQ(last.cache_directory, world.home.root() + "/cache");
  EXPECT_EQ(last.template_root, world.template_root);
  ASSERT_TRUE(daemon->start("box"));
  EXPECT_EQ(prepared, 2);
  ASSERT_TRUE(daemon->start("box"));
  EXPECT_EQ(prepared, 2) << "it ran already";
}

TEST_F(SandboxesTest, LimitsAreWhatTheMachineReallyGets) {
  const auto created = daemon->create(world.virtual_machine("box"), {});
  ASSERT_TRUE(created) << created.error().what();
  EXPECT_EQ(created->limits.memory, sbx::testing::FakeVirtualMachines::kMemory);
  EXPECT_EQ(created->limits.pids, 8192);
  wire::CreateRequest tiny = world.virtual_machine("tiny");
  tiny.limits.memory = 4096;
  EXPECT_EQ(daemon->create(tiny, {}).error().what(), "create tiny: no kernel boots in so little memory");
}

TEST_F(SandboxesTest, ADiskLimitIsRefusedWhereNothingKeepsIt) {
  wire::CreateRequest request = world.request("box");
  request.limits.disk = 1 << 30;
  const auto refused = daemon->create(request, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what(), "create box: nothing holds it to --disk");
  request.backend = "fake-vm";
  const auto made = daemon->create(request, {});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->limits.disk, 1 << 30);
  EXPECT_EQ(made->limits.disk_bound, wire::DiskBound::kVirtualDisk);
  EXPECT_NE(made->note.find("The disk is a fake."), std::string::npos) << "what the backend says of its grant";
}

TEST_F(SandboxesTest, AGuestWithAKernelOfItsOwnIsToldMountsTimeAndHowManyProcesses) {
  const auto guest = [&](const std::string& name) {
    EXPECT_TRUE(daemon->start(name));
    return *wire::decode_guest_config(*parse_json(*read_file(world.home.machine(name) + "/guest.json")));
  };
  make("plain");
  EXPECT_TRUE(guest("plain").mounts.empty());
  EXPECT_EQ(guest("plain").clock_us, 0);
  EXPECT_EQ(guest("plain").max_processes, 0);
  ASSERT_TRUE(daemon->create(world.virtual_machine("own"), {}));
  ASSERT_EQ(guest("own").mounts.size(), 1u);
  EXPECT_EQ(guest("own").mounts.front().target, world.workspace);
  EXPECT_EQ(guest("own").max_processes, daemon->info("own")->limits.pids);
  EXPECT_NEAR(
      static_cast<double>(guest("own").clock_us),
      static_cast<double>(std::chrono::microseconds(now().time_since_epoch() / std::chrono::microseconds(1)).count()),
      6e8);
}

TEST_F(SandboxesTest, TheFileChoosesTheBackendOfNewSandboxes) {
  world.configure(R"({"backend": "fake-vm", "kernel": "/boot/own", "modules": "/lib/modules/own"})");
  backends::Settings seen;
  world.on_prepare = [&](const backends::MachineSpec& spec) {
    seen = spec.settings;
    return Ok{};
  };
  EXPECT_EQ(daemon->create(world.request("box"), {})->backend, "fake-vm");
  EXPECT_EQ(seen.kernel, "/boot/own");
  EXPECT_EQ(seen.modules, "/lib/modules/own");
  wire::CreateRequest other = world.request("other");
  other.backend = "fake";
  EXPECT_EQ(daemon->create(other, {})->backend, "fake");
  world.configure(R"({"backend": "none"})");
  EXPECT_EQ(daemon->create(world.request("third"), {}).error().what(),
            "create third: \"backend\" in " + world.config_file + ": no backend none");
}

TEST_F(SandboxesTest, NothingBelowTheMinimumIsMadeOrStarted) {
  make("box");
  world.configure(R"({"minimumIsolation": "microvm-emulated"})");
  const auto made = daemon->create(world.request("second"), {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), Code::kForbidden);
  EXPECT_NE(made.error().what().find(world.config_file), std::string::npos) << made.error().what();
  const auto started = daemon->start("box");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code(), Code::kForbidden);
  EXPECT_EQ(status("box"), "stopped");
  ASSERT_TRUE(daemon->create(world.virtual_machine("vm"), {}));
  EXPECT_TRUE(daemon->start("vm"));
}

TEST_F(SandboxesTest, AMachineThatBecameLessThanPromisedIsEnded) {
  world.configure(R"({"minimumIsolation": "microvm-emulated"})");
  ASSERT_TRUE(daemon->create(world.virtual_machine("box", "weaker"), {}));
  const auto started = daemon->start("box");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code(), Code::kForbidden);
  EXPECT_EQ(status("box"), "stopped");
  EXPECT_FALSE(world.has_leftovers("box"));
}

TEST_F(SandboxesTest, WithABadFileNothingNewBeginsAndEverythingCanEnd) {
  make("box");
  make("second");
  ASSERT_TRUE(daemon->start("box"));
  world.configure(R"({"backed": "microvm"})");
  for (const auto& error : {daemon->create(world.request("third"), {}).error(), daemon->start("second").error()})
    EXPECT_NE(error.what().find(world.config_file + ": unknown member \"backed\""), std::string::npos) << error.what();
  EXPECT_EQ(daemon->list().size(), 2u);
  EXPECT_TRUE(daemon->stop("box"));
  EXPECT_TRUE(daemon->remove("box"));
}

TEST_F(SandboxesTest, AnExistingOneIsReusedWhateverNewOnesMayBe) {
  ASSERT_TRUE(daemon->create(world.virtual_machine("box"), {}));
  world.configure(R"({"minimumIsolation": "microvm-emulated"})");
  wire::CreateRequest again = world.request("box");
  again.reuse = true;
  const auto found = daemon->create(again, {});
  ASSERT_TRUE(found) << found.error().what();
  EXPECT_FALSE(found->created);
}

TEST_F(SandboxesTest, AMachineThatIsEmulatedSaysSoWhenItIsMade) {
  EXPECT_NE(daemon->create(world.virtual_machine("box"), {})->note.find("emulated"), std::string::npos);
  EXPECT_EQ(daemon->info("box")->note, "");
}

TEST_F(SandboxesTest, StartsAndStops) {
  make("box");
  const auto started = daemon->start("box");
  ASSERT_TRUE(started) << started.error().what();
  EXPECT_EQ(started->status, "running");
  EXPECT_GT(started->shim_pid, 0);
  EXPECT_EQ(started->timings["boot"], 7);
  EXPECT_EQ(daemon->start("box")->shim_pid, started->shim_pid);
  const auto stopped = daemon->stop("box");
  ASSERT_TRUE(stopped) << stopped.error().what();
  EXPECT_EQ(stopped->status, "stopped");
  EXPECT_EQ(stopped->reason, "");
  EXPECT_EQ(stopped->timings["boot"], 7);
  EXPECT_FALSE(exists(world.home.machine("box") + "/machine.json"));
  EXPECT_TRUE(daemon->stop("box"));
}

TEST_F(SandboxesTest, StartingAtOnceStartsOneMachine) {
  make("box");
  std::vector<std::int64_t> pids(4);
  std::vector<std::jthread> threads;
  for (auto& pid : pids) threads.emplace_back([&] { pid = daemon->start("box")->shim_pid; });
  threads.clear();
  EXPECT_TRUE(std::ranges::all_of(pids, [&](auto pid) { return pid == pids.front() && pid > 0; }));
}

TEST_F(SandboxesTest, TheShimsOwnErrorIsTold) {
  make("box", "refuse");
  const auto started = daemon->start("box");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().what(), "start box: no runtime");
  EXPECT_EQ(started.error().code(), Code::kUnavailable);
  EXPECT_EQ(started.error().hint(), "apt install runc");
  EXPECT_EQ(status("box"), "stopped");
}

TEST_F(SandboxesTest, ASilentShimsLogIsTold) {
  make("box", "silent");
  const auto started = daemon->start("box");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().what(), "start box: the shim ended with status 3: cannot go on");
}

TEST_F(SandboxesTest, AnExecStartsTheSandboxAndGetsTheClient) {
  wire::CreateRequest wanted = world.request("box");
  wanted.directory = "/work";
  ASSERT_TRUE(daemon->create(wanted, {}));
  auto pair = make_socket_pair();
  wire::ExecRequest request;
  request.command = {"true"};
  const auto done = daemon->exec("box", request, pair->theirs);
  ASSERT_TRUE(done) << done.error().what();
  pair->theirs.reset();
  const auto answer = read_all(pair->ours, 4096);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->starts_with("HTTP/1.1 101 ")) << *answer;
  EXPECT_TRUE(answer->ends_with(R"({"command":["true"],"directory":"/work"})")) << *answer;
  EXPECT_EQ(status("box"), "running");
}

TEST_F(SandboxesTest, ADetachedExecGivesItsPid) {
  make("box");
  wire::ExecRequest request;
  request.command = {"true"};
  request.detach = true;
  EXPECT_EQ(std::get<pid_t>(*daemon->exec_detached("box", request)), 42);
}

TEST_F(SandboxesTest, AnExecThatIsAskedForAgainIsNotStartedAgain) {
  make("box");
  const auto key = wire::RequestKey::random();
  wire::ExecRequest request;
  request.command = {"true"};
  auto pair = make_socket_pair();
  ASSERT_TRUE(daemon->exec("box", request, pair->theirs, key));
  daemon.reset();
  daemon = world.daemon();
  auto other = make_socket_pair();
  const auto again = daemon->exec("box", request, other->theirs, key);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), Code::kConflict);

  const auto second = wire::RequestKey::random();
  request.detach = true;
  const auto pid = std::get<pid_t>(*daemon->exec_detached("box", request, second));
  EXPECT_EQ(std::get<pid_t>(*daemon->exec_detached("box", request, second)), pid);
  EXPECT_NE(std::get<pid_t>(*daemon->exec_detached("box", request)), pid);
}

TEST_F(SandboxesTest, AKilledShimIsNoticedCleanedUpAndTold) {
  make("box");
  const auto events = daemon->events().listen();
  const auto started = daemon->start("box");
  ASSERT_TRUE(started);
  ASSERT_TRUE(world.has_leftovers("box"));
  ASSERT_EQ(::kill(static_cast<pid_t>(started->shim_pid), SIGKILL), 0);
  const auto died = await(*events, "die");
  EXPECT_EQ(died.sandbox, "box");
  EXPECT_EQ(status("box"), "stopped");
  EXPECT_EQ(daemon->info("box")->reason, "the shim was killed (signal 9)");
  EXPECT_TRUE(daemon->stop("box"));  // waits for the clean-up, or does it
  EXPECT_FALSE(world.has_leftovers("box"));
}

TEST_F(SandboxesTest, TheReasonOfAnEndIsWhatTheShimSaid) {
  make("box", "panic");
  const auto events = daemon->events().listen();
  ASSERT_TRUE(daemon->start("box"));
  ASSERT_TRUE(ShimSocket(world.home.machine("box") + "/shim.sock").watch());  // one more that it talks to
  wire::ExecRequest request;
  request.command = {"true"};
  request.detach = true;
  (void)ShimSocket(world.home.machine("box") + "/shim.sock").exec_detached(wire::RequestKey::random(), request);
  const std::string reason = await(*events, "die").detail["reason"];
  EXPECT_TRUE(reason.starts_with("the guest's kernel panicked\\x1b[2J: xxx")) << reason;
  EXPECT_LT(reason.size(), 4200u);
  EXPECT_EQ(daemon->info("box")->reason, reason);
}

TEST_F(SandboxesTest, AnExecThatFindsTheMachineEndingDoesNotHideWhy) {
  make("box", "panic");
  const auto events = daemon->events().listen();
  wire::ExecRequest request;
  request.command = {"true"};
  request.detach = true;
  EXPECT_FALSE(daemon->exec_detached("box", request)) << "it panics each time";
  const std::string reason = await(*events, "die").detail["reason"];
  EXPECT_TRUE(reason.starts_with("the guest's kernel panicked")) << reason;
}

TEST_F(SandboxesTest, AnExecRightAfterTheShimWasKilledStartsAnother) {
  make("box");
  wire::ExecRequest request;
  request.command = {"true"};
  for (int i = 0; i < 5; ++i) {
    const auto started = daemon->start("box");
    ASSERT_TRUE(started);
    ASSERT_EQ(::kill(static_cast<pid_t>(started->shim_pid), SIGKILL), 0);
    auto pair = make_socket_pair();
    const auto done = daemon->exec("box", request, pair->theirs);
    ASSERT_TRUE(done) << done.error().what();
    EXPECT_NE(daemon->info("box")->shim_pid, started->shim_pid);
  }
}

TEST_F(SandboxesTest, EventsOfAShimCarryItsOwnNameWhateverItSays) {
  make("box");
  ASSERT_TRUE(daemon->start("box"));
  const auto events = daemon->events().listen();
  wire::ExecRequest request;
  request.command = {"true"};
  ASSERT_TRUE(daemon->exec_detached("box", request));
  EXPECT_EQ(await(*events, "exec_start").sandbox, "box");
}

TEST_F(SandboxesTest, ADeafShimIsKilled) {
  make("box", "deaf");
  const auto started = daemon->start("box");
  ASSERT_TRUE(started);
  const auto stopped = daemon->stop("box", milliseconds(0));
  ASSERT_TRUE(stopped) << stopped.error().what();
  EXPECT_EQ(stopped->status, "stopped");
  EXPECT_EQ(stopped->reason, "");
  EXPECT_FALSE(world.has_leftovers("box"));
}

TEST_F(SandboxesTest, RemovingARunningOneLeavesNothingButTheWorkspace) {
  make("box");
  ASSERT_TRUE(daemon->start("box"));
  const auto removed = daemon->remove("box");
  ASSERT_TRUE(removed) << removed.error().what();
  EXPECT_FALSE(exists(world.home.machine("box")));
  EXPECT_FALSE(world.has_leftovers("box"));
  EXPECT_TRUE(daemon->list().empty());
  EXPECT_EQ(*read_file(world.workspace + "/precious"), "bytes");
  EXPECT_EQ(daemon->remove("box").error().code(), Code::kNotFound);
}

TEST_F(SandboxesTest, AVanishedWorkspaceIsNamed) {
  make("box");
  ASSERT_TRUE(remove_tree(world.workspace));
  EXPECT_TRUE(daemon->info("box")->workspace_missing);
  const auto started = daemon->start("box");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().what(),
            "start box: workspace " + world.workspace + ": open " + world.workspace + ": No such file or directory");
  EXPECT_EQ(started.error().code(), Code::kConflict);
}

TEST_F(SandboxesTest, EveryOneHasARangeOfIdsThatIsFreeAgainAfterwards) {
  const store::Store store(world.home);
  make("aa");
  make("bb");
  EXPECT_EQ(store.load("aa")->id_base, 0x70000000u);
  EXPECT_EQ(store.load("bb")->id_base, 0x70020000u);
  ASSERT_TRUE(daemon->remove("aa"));
  make("cc");
  EXPECT_EQ(store.load("cc")->id_base, 0x70000000u);
}

TEST_F(SandboxesTest, ResetRemovesAll) {
  make("aa");
  make("bb");
  ASSERT_TRUE(daemon->start("bb"));
  EXPECT_EQ(*daemon->reset(), (std::vector<std::string>{"aa", "bb"}));
  EXPECT_TRUE(daemon->list().empty());
  EXPECT_TRUE(exists(world.workspace + "/precious"));
}

}  // namespace
}  // namespace sbx::sandboxes
