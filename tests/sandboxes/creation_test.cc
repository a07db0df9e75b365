// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/creation.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <thread>

#include "sandboxes/plan.h"
#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

using CreationTest = sbx::testing::DaemonTest;

TEST_F(CreationTest, ANewOneIsStoppedAndWhole) {
  wire::CreateRequest request = world.request();
  request.environment = {{"K", "V"}};
  request.limits.pids = 7;
  const auto info = daemon->creation.create(request, {});
  ASSERT_TRUE(info) << info.error().what();
  EXPECT_EQ(info->name, "shell-project");
  EXPECT_EQ(info->status, wire::Status::kStopped);
  EXPECT_TRUE(info->created);
  EXPECT_EQ(info->template_digest, "sha256:" + world.template_digest);
  EXPECT_EQ(info->limits.pids, 7);
  const auto record = store::Store(world.home).load("shell-project");
  ASSERT_TRUE(record) << record.error().what();
  EXPECT_EQ(record->phase, store::Phase::kReady);
  EXPECT_EQ(record->id, info->id);
}

// main.git with a worktree tree beside it, as git makes them.
std::string make_worktree(const std::string& root) {
  for (const char* made : {"/tree", "/main.git/objects", "/main.git/refs", "/main.git/worktrees/tree"})
    EXPECT_TRUE(make_directories(root + made, 0755));
  EXPECT_TRUE(write_file(root + "/main.git/HEAD", "ref: refs/heads/main\n"));
  EXPECT_TRUE(write_file(root + "/main.git/worktrees/tree/commondir", "../..\n"));
  EXPECT_TRUE(write_file(root + "/main.git/worktrees/tree/gitdir", root + "/tree/.git\n"));
  EXPECT_TRUE(write_file(root + "/tree/.git", "gitdir: " + root + "/main.git/worktrees/tree\n"));
  return root + "/tree";
}

TEST_F(CreationTest, OfAGitWorktreeHasTheRepositoryIfItIsOneAndHasNoLinks) {
  const std::string root = *canonical_path(world.root);
  wire::CreateRequest request = world.request("box");
  const std::string tree = make_worktree(root);
  request.workspaces = {{tree, tree, false}};
  const auto mounts_and_note = [&] {
    const auto made = daemon->creation.create(request, {});
    EXPECT_TRUE(made && daemon->removal.remove("box"));
    return std::pair(made->mounts.size(), made->note);
  };
  EXPECT_EQ(mounts_and_note().first, 4u);

  ASSERT_TRUE(write_file(root + "/main.git/secret", "of the user's"));
  const auto [foreign, why] = mounts_and_note();
  EXPECT_EQ(foreign, 0u);
  EXPECT_NE(why.find("it has secret, which is not git's"), std::string::npos) << why;
  ASSERT_TRUE(remove_file(root + "/main.git/secret"));

  for (const std::string part : {"/main.git/objects", "/main.git/refs"}) {
    ASSERT_TRUE(remove_tree(root + part));
    ASSERT_EQ(::symlink(world.workspace.c_str(), (root + part).c_str()), 0);
    const auto [linked, reason] = mounts_and_note();
    EXPECT_EQ(linked, 0u) << part;
    EXPECT_NE(reason.find("cannot be mounted"), std::string::npos) << reason;
    ASSERT_TRUE(remove_file(root + part));
    ASSERT_TRUE(make_directories(root + part, 0755));
  }
}

TEST_F(CreationTest, AnAgentThatIsNotKnownHasTheTemplateWithADockerDaemon) {
  wire::CreateRequest request = world.request();
  request.agent = "sandbox-agent";
  const auto checked = checked_request(request, daemon->parts, daemon->registry);
  ASSERT_TRUE(checked) << checked.error().what();
  const auto plan = plan_for(*checked, daemon->parts);
  ASSERT_TRUE(plan) << plan.error().what();
  EXPECT_EQ(plan->template_name, "agent-base");
  EXPECT_EQ(plan->request.docker, wire::DockerMode::kOnDemand);
}

TEST_F(CreationTest, AnAgentsOtherNameIsRecordedAsItsOwn) {
  wire::CreateRequest request = world.request();
  request.agent = "docker-agent";
  const auto info = daemon->creation.create(request, {});
  ASSERT_TRUE(info) << info.error().what();
  EXPECT_EQ(info->agent, "cagent");
  EXPECT_EQ(info->name, "cagent-project");
}

TEST_F(CreationTest, HasAnAuthorityWhoseKeyIsPrivate) {
  make("box");
  struct stat key {};
  struct stat certificate {};
  ASSERT_EQ(::stat((world.home.machine("box") + "/proxy_cacerts/proxy-ca.key").c_str(), &key), 0);
  ASSERT_EQ(::stat((world.home.machine("box") + "/proxy_cacerts/proxy-ca.crt").c_str(), &certificate), 0);
  EXPECT_EQ(key.st_mode & 0777u, 0600u);
  EXPECT_EQ(certificate.st_mode & 0777u, 0644u);
}

TEST_F(CreationTest, ItsPolicyIsTheUsersOwnWithWhatTheRequestAdds) {
  ASSERT_TRUE(replace_file(world.policy_file, R"({"policy":"allow","network":{"allowedDomains":["user.test"]}})"));
  wire::CreateRequest request = world.request("box");
  request.policy = {{"policy", "deny"}, {"allow-host", "asked.test"}};
  ASSERT_TRUE(daemon->creation.create(request, {}));
  const auto rules = daemon->policies.policy_of("box");
  ASSERT_TRUE(rules) << rules.error().what();
  EXPECT_EQ(rules->otherwise, policy::Mark::kBlock);
  ASSERT_EQ(rules->allowed.size(), 2u);
  EXPECT_EQ(rules->allowed[0].text(), "user.test");
  EXPECT_EQ(rules->allowed[1].text(), "asked.test");
}

TEST_F(CreationTest, APolicyThatCannotBeMeantIsRefusedBeforeAnythingIsMade) {
  for (const wire::PolicyEdit& edit :
       {wire::PolicyEdit{"allow-host", "a..b"}, {"preset", "none"}, {"open-all", ""}, {"remove-host", "none.test"}}) {
    wire::CreateRequest request = world.request("box");
    request.policy = {{"policy", "deny"}, edit};
    EXPECT_FALSE(daemon->creation.create(request, {})) << edit.name;
    EXPECT_FALSE(exists(world.home.machine("box"))) << edit.name;
  }
  EXPECT_TRUE(daemon->registry.list().empty());
}

TEST_F(CreationTest, ASecondDirectoryOfTheSameNameGetsANumber) {
  ASSERT_TRUE(daemon->creation.create(world.request(), {}));
  wire::CreateRequest other = world.request();
  const std::string path = world.root + "/elsewhere/project";
  ASSERT_TRUE(make_directories(path));
  other.workspaces = {{path, path, false}};
  other.reuse = true;
  EXPECT_EQ(daemon->creation.create(other, {})->name, "shell-project-2");
}

TEST_F(CreationTest, TheSameAgentAndDirectoryIsTheSameSandbox) {
  wire::CreateRequest request = world.request();
  request.reuse = true;
  const auto first = daemon->creation.create(request, {});
  const auto second = daemon->creation.create(request, {});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->id, second->id);
  EXPECT_FALSE(second->created);
  request.agent = "another";
  EXPECT_NE(daemon->creation.create(request, {})->id, first->id);
}

TEST_F(CreationTest, ANameOfAnotherAgentOrDirectoryIsAConflict) {
  make("box");
  EXPECT_EQ(daemon->creation.create(world.request("box"), {}).error().code(), Code::kConflict);
  wire::CreateRequest request = world.request("box");
  request.reuse = true;
  EXPECT_TRUE(daemon->creation.create(request, {}));
  request.agent = "another";
  EXPECT_EQ(daemon->creation.create(request, {}).error().code(), Code::kConflict);
  request = world.request("box");
  request.reuse = true;
  ASSERT_TRUE(make_directories(world.root + "/elsewhere"));
  request.workspaces = {{world.root + "/elsewhere", world.root + "/elsewhere", false}};
  EXPECT_EQ(daemon->creation.create(request, {}).error().code(), Code::kConflict);
}

TEST_F(CreationTest, OfTwoCreatesOfOneNameAtOnceOneWins) {
  std::atomic<int> made{0};
  std::atomic<int> refused{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      const auto created = daemon->creation.create(world.request("box"), {});
      if (created) ++made;
      if (!created && created.error().code() == Code::kConflict) ++refused;
    });
  threads.clear();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(refused, 5);
}

TEST_F(CreationTest, EqualRequestsAtOnceGetTheSameSandbox) {
  wire::CreateRequest request = world.request();
  request.reuse = true;
  std::vector<std::string> ids(6);
  std::vector<std::jthread> threads;
  for (auto& id : ids)
    threads.emplace_back([&] {
      const auto created = daemon->creation.create(request, {});
      if (created) id = created->id;
    });
  threads.clear();
  EXPECT_FALSE(ids.front().empty());
  EXPECT_TRUE(std::ranges::all_of(ids, [&](const auto& id) { return id == ids.front(); }));
  EXPECT_EQ(daemon->registry.list().size(), 1u);
}

TEST_F(CreationTest, ACreateThatIsAskedForAgainIsTheSameSandboxAsIfItHadJustBeenMade) {
  const auto key = wire::RequestKey::random();
  const auto first = daemon->creation.create(world.request(), {}, key);
  ASSERT_TRUE(first);
  daemon.reset();
  daemon = world.daemon();
  const auto again = daemon->creation.create(world.request(), {}, key);
  ASSERT_TRUE(again) << again.error().what();
  EXPECT_EQ(again->id, first->id);
  EXPECT_TRUE(again->created);
  EXPECT_EQ(daemon->registry.list().size(), 1u);
  EXPECT_EQ(daemon->creation.create(world.request(), {})->name, "shell-project-2") << "another request";
}

TEST_F(CreationTest, ACreateThatIsAskedForAgainWhileItIsMadeWaitsForIt) {
  const auto key = wire::RequestKey::random();
  std::latch reached(1);
  std::latch go_on(1);
  world.before_template = [&](const std::string& name) {
    reached.count_down();
    go_on.wait();
    return world.template_named(name);
  };
  std::vector<std::string> ids(2);
  std::jthread first([&] { ids[0] = daemon->creation.create(world.request("box"), {}, key)->id; });
  reached.wait();
  std::jthread second([&] { ids[1] = daemon->creation.create(world.request("box"), {}, key)->id; });
  go_on.count_down();
  first.join();
  second.join();
  EXPECT_EQ(ids[0], ids[1]);
}

TEST_F(CreationTest, AKeyOfACreateIsNotGoodForAnother) {
  const auto key = wire::RequestKey::random();
  ASSERT_TRUE(daemon->creation.create(world.request("box"), {}, key));
  const auto other = daemon->creation.create(world.request("other"), {}, key);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), Code::kConflict);
  EXPECT_EQ(daemon->registry.list().size(), 1u);
  ASSERT_TRUE(daemon->removal.remove("box"));
  EXPECT_TRUE(daemon->creation.create(world.request("other"), {}, key)) << "it goes with its sandbox";
}

TEST_F(CreationTest, ACreateThatFailsLeavesNothing) {
  world.before_template = [](const std::string&) { return fail(Code::kInternal, "No space left on device"); };
  const auto created = daemon->creation.create(world.request("box"), {});
  ASSERT_FALSE(created);
  EXPECT_NE(created.error().what().find("create box: No space left"), std::string::npos);
  EXPECT_TRUE(daemon->registry.list().empty());
  EXPECT_FALSE(exists(world.home.machine("box")));
}

TEST_F(CreationTest, ListDoesNotWaitForASlowCreate) {
  std::latch reached(1);
  std::latch go_on(1);
  world.before_template = [&](const std::string& name) {
    reached.count_down();
    go_on.wait();
    return world.template_named(name);
  };
  std::jthread creator([&] { EXPECT_TRUE(daemon->creation.create(world.request("box"), {})); });
  reached.wait();
  EXPECT_EQ(status("box"), wire::Status::kCreating);
  EXPECT_EQ(daemon->registry.list().size(), 1u);
  EXPECT_EQ(daemon->creation.create(world.request("box"), {}).error().code(), Code::kConflict);
  go_on.count_down();
  creator.join();
  EXPECT_EQ(status("box"), wire::Status::kStopped);
}

TEST_F(CreationTest, RefusesBadNames) {
  for (const auto& name : {std::string("../x"), std::string(200, 'x'), std::string("a b"), std::string("x")}) {
    EXPECT_EQ(daemon->creation.create(world.request(name), {}).error().code(), Code::kInvalid) << name;
    EXPECT_EQ(daemon->removal.remove(name).error().code(), Code::kInvalid) << name;
  }
}

TEST_F(CreationTest, ACreateWhoseMachineCannotBePreparedLeavesNothing) {
  world.on_prepare = [](const auto&) { return fail(Code::kInternal, "No space left on device"); };
  const auto created = daemon->creation.create(world.virtual_machine("box"), {});
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().what(), "create box: No space left on device");
  EXPECT_TRUE(daemon->registry.list().empty());
  EXPECT_FALSE(exists(world.home.machine("box")));
}

TEST_F(CreationTest, LimitsAreWhatTheMachineReallyGets) {
  const auto created = daemon->creation.create(world.virtual_machine("box"), {});
  ASSERT_TRUE(created) << created.error().what();
  EXPECT_EQ(created->limits.memory, sbx::testing::FakeVirtualMachines::kMemory);
  EXPECT_EQ(created->limits.pids, 8192);
  wire::CreateRequest tiny = world.virtual_machine("tiny");
  tiny.limits.memory = 4096;
  EXPECT_EQ(daemon->creation.create(tiny, {}).error().what(), "create tiny: no kernel boots in so little memory");
}

TEST_F(CreationTest, ADiskLimitIsRefusedWhereNothingKeepsIt) {
  wire::CreateRequest request = world.request("box");
  request.limits.disk = 1 << 30;
  const auto refused = daemon->creation.create(request, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what(), "create box: nothing holds it to --disk");
  request.backend = "fake-vm";
  const auto made = daemon->creation.create(request, {});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->limits.disk, 1 << 30);
  EXPECT_EQ(made->limits.disk_bound, wire::DiskBound::kVirtualDisk);
  EXPECT_NE(made->note.find("The disk is a fake."), std::string::npos) << "what the backend says of its grant";
}

TEST_F(CreationTest, TheFileChoosesTheBackendOfNewSandboxes) {
  world.configure(R"({"backend": "fake-vm", "kernel": "/boot/own", "modules": "/lib/modules/own"})");
  backends::Settings seen;
  world.on_prepare = [&](const backends::MachineSpec& spec) {
    seen = spec.settings;
    return Ok{};
  };
  EXPECT_EQ(daemon->creation.create(world.request("box"), {})->backend, "fake-vm");
  EXPECT_EQ(seen.kernel, "/boot/own");
  EXPECT_EQ(seen.modules, "/lib/modules/own");
  wire::CreateRequest other = world.request("other");
  other.backend = "fake";
  EXPECT_EQ(daemon->creation.create(other, {})->backend, "fake");
  world.configure(R"({"backend": "none"})");
  EXPECT_EQ(daemon->creation.create(world.request("third"), {}).error().what(),
            "create third: \"backend\" in " + world.config_file + ": no backend none");
}

TEST_F(CreationTest, AnExistingOneIsReusedWhateverNewOnesMayBe) {
  ASSERT_TRUE(daemon->creation.create(world.virtual_machine("box"), {}));
  world.configure(R"({"minimumIsolation": "microvm-emulated"})");
  wire::CreateRequest again = world.request("box");
  again.reuse = true;
  const auto found = daemon->creation.create(again, {});
  ASSERT_TRUE(found) << found.error().what();
  EXPECT_FALSE(found->created);
}

TEST_F(CreationTest, AMachineThatIsEmulatedSaysSoWhenItIsMade) {
  EXPECT_NE(daemon->creation.create(world.virtual_machine("box"), {})->note.find("emulated"), std::string::npos);
  EXPECT_EQ(daemon->registry.info("box")->note, "");
}

TEST_F(CreationTest, EveryOneHasARangeOfIdsThatIsFreeAgainAfterwards) {
  const store::Store store(world.home);
  make("aa");
  make("bb");
  EXPECT_EQ(store.load("aa")->id_base, 0x70000000u);
  EXPECT_EQ(store.load("bb")->id_base, 0x70020000u);
  ASSERT_TRUE(daemon->removal.remove("aa"));
  make("cc");
  EXPECT_EQ(store.load("cc")->id_base, 0x70000000u);
}

}  // namespace
}  // namespace sbx::sandboxes
