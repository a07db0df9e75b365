// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "policy/rules_file.h"
#include "support/fake_world.h"

namespace sbx::sandboxes {
namespace {

using policy::Edit;
using policy::Mark;

class NetworkTest : public ::testing::Test {
 protected:
  void make(const std::string& manner = "", const Ports& ports = {}) {
    wire::CreateRequest request = world.request("box", manner);
    request.ports = ports;
    const auto created = daemon->create(request, {});
    ASSERT_TRUE(created) << created.error().what();
  }
  void start() {
    const auto started = daemon->start("box");
    ASSERT_TRUE(started) << started.error().what();
  }
  std::string file(const std::string& name) const { return world.home.machine("box") + "/" + name; }
  policy::Rules rules_in(const std::string& name) const {
    const auto rules = policy::read_rules(read_file(file(name)).value_or(""), name);
    EXPECT_TRUE(rules) << rules.error().what();
    return rules.value_or(policy::Rules());
  }
  std::string error_of_edit(const std::vector<Edit>& edits) {
    const auto edited = daemon->edit_policy("box", edits);
    return edited ? "none" : edited.error().what();
  }
  std::string published() const {
    std::string texts;
    const auto info = daemon->info("box");
    for (const auto& port : info->ports) texts += wire::text(port) + " ";
    return texts;
  }
  void TearDown() override { EXPECT_TRUE(daemon->reset()); }

  sbx::testing::FakeWorld world;
  std::unique_ptr<Sandboxes> daemon = world.daemon();
};

// --- the policy's files ----------------------------------------------------------------------------------------------

TEST_F(NetworkTest, TheFileOfNewSandboxesIsMadeOnceAndNeverWrittenToAgain) {
  make();
  EXPECT_EQ(*read_file(world.policy_file), policy::write_rules(policy::default_rules()));
  ASSERT_TRUE(replace_file(world.policy_file, R"({"policy":"deny"})"));
  ASSERT_TRUE(daemon->remove("box"));
  make();
  EXPECT_EQ(*read_file(world.policy_file), R"({"policy":"deny"})");
  EXPECT_EQ(daemon->policy_of("box")->otherwise, Mark::kBlock);
}

TEST_F(NetworkTest, ABadFileOfNewSandboxesIsNamedAndNothingIsMade) {
  ASSERT_TRUE(replace_file(world.policy_file, R"({"policy":"deny","network":{"allowedDomains":["a..b"]}})"));
  const auto created = daemon->create(world.request("box"), {});
  ASSERT_FALSE(created);
  EXPECT_NE(created.error().what().find(world.policy_file), std::string::npos) << created.error().what();
  EXPECT_NE(created.error().what().find("allowedDomains"), std::string::npos) << created.error().what();
  EXPECT_FALSE(exists(world.home.machine("box")));
  EXPECT_TRUE(daemon->list().empty());
}

TEST_F(NetworkTest, WhereNoFileCanBeMadeTheDefaultRulesHoldWithoutIt) {
  world.policy_file = "/proc/none/proxy-config.json";
  daemon = world.daemon();
  make();
  EXPECT_EQ(*daemon->policy_of("box"), policy::default_rules());
}

TEST_F(NetworkTest, ASandboxHasItsOwnCopyWhichOthersCannotRead) {
  make();
  struct stat info {};
  ASSERT_EQ(::stat(file("proxy-config.json").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  ASSERT_TRUE(replace_file(world.policy_file, R"({"policy":"deny"})"));
  EXPECT_EQ(daemon->policy_of("box")->otherwise, Mark::kAllow);
}

TEST_F(NetworkTest, ASandboxWithABadOrMissingFileDoesNotStartUntilItIsReset) {
  make();
  for (const char* text : {"{", R"({"network":{}})", R"({"policy":"allow","extra":1})"}) {
    ASSERT_TRUE(replace_file(file("proxy-config.json"), text));
    const auto started = daemon->start("box");
    ASSERT_FALSE(started) << text;
    EXPECT_NE(started.error().what().find(file("proxy-config.json")), std::string::npos) << started.error().what();
    EXPECT_EQ(started.error().hint(), "sandbox network proxy box --reset");
    EXPECT_FALSE(daemon->edit_policy("box", {{"policy", "deny"}}));
  }
  ASSERT_TRUE(remove_tree(file("proxy-config.json")));
  EXPECT_FALSE(daemon->start("box"));
  ASSERT_TRUE(daemon->edit_policy("box", {{"reset", ""}, {"policy", "deny"}}));
  EXPECT_EQ(rules_in("proxy-config.json").otherwise, Mark::kBlock);
  start();
}

// --- changes ---------------------------------------------------------------------------------------------------------

TEST_F(NetworkTest, AMachineStartsWithTheRulesOfTheFile) {
  make();
  ASSERT_TRUE(daemon->edit_policy("box", {{"policy", "deny"}, {"allow-host", "example.com"}}));
  start();
  EXPECT_EQ(rules_in("gate.json"), *daemon->policy_of("box"));
  EXPECT_EQ(rules_in("gate.json").otherwise, Mark::kBlock);
}

TEST_F(NetworkTest, AChangeHoldsAtOnceAndForGood) {
  make();
  start();
  ASSERT_TRUE(daemon->edit_policy("box", {{"policy", "deny"}}));
  EXPECT_EQ(rules_in("gate.json").otherwise, Mark::kBlock);
  EXPECT_EQ(rules_in("proxy-config.json").otherwise, Mark::kBlock);
  daemon = world.daemon();
  EXPECT_EQ(daemon->policy_of("box")->otherwise, Mark::kBlock);
}

TEST_F(NetworkTest, OneBadEditOfSeveralChangesNothing) {
  make();
  const std::string before = *read_file(file("proxy-config.json"));
  EXPECT_NE(error_of_edit({{"policy", "deny"}, {"block-cidr", "10.0.0.1/8"}}).find("--block-cidr"), std::string::npos);
  EXPECT_NE(error_of_edit({{"policy", "deny"}, {"frobnicate", ""}}).find("frobnicate"), std::string::npos);
  EXPECT_EQ(*read_file(file("proxy-config.json")), before);
}

TEST_F(NetworkTest, AGateThatCannotBeToldIsAnErrorThatSaysWhatIsChangedAndWhatIsNot) {
  make("mute");
  start();
  const auto edited = daemon->edit_policy("box", {{"policy", "deny"}});
  ASSERT_FALSE(edited);
  EXPECT_NE(edited.error().what().find("is changed, but the running sandbox may not keep to it"), std::string::npos)
      << edited.error().what();
  EXPECT_EQ(edited.error().hint(), "sandbox stop box");
  EXPECT_EQ(rules_in("proxy-config.json").otherwise, Mark::kBlock);
}

TEST_F(NetworkTest, ANewDaemonTellsARunningMachineWhatItsFileSays) {
  make();
  start();
  policy::Rules rules = policy::default_rules();
  rules.otherwise = Mark::kBlock;
  ASSERT_TRUE(replace_file(file("proxy-config.json"), policy::write_rules(rules)));
  daemon = world.daemon();
  EXPECT_EQ(rules_in("gate.json"), rules);
}

TEST_F(NetworkTest, EditsAtOnceDoNotLoseEachOther) {
  make();
  start();
  std::vector<std::jthread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&, host = "h" + std::to_string(i) + ".test"] {
      EXPECT_TRUE(daemon->edit_policy("box", {{"allow-host", host}}));
    });
  threads.clear();
  EXPECT_EQ(daemon->policy_of("box")->allowed.size(), 16u);
  EXPECT_EQ(rules_in("gate.json"), *daemon->policy_of("box"));
}

TEST_F(NetworkTest, ASandboxThatIsNotThereHasNoPolicy) {
  EXPECT_EQ(daemon->policy_of("none").error().code(), Code::kNotFound);
  EXPECT_EQ(daemon->edit_policy("none", {{"policy", "deny"}}).error().code(), Code::kNotFound);
  EXPECT_EQ(daemon->change_ports("none", {{"127.0.0.1", 0, 80}}, {}).error().code(), Code::kNotFound);
}

// --- ports -----------------------------------------------------------------------------------------------------------

TEST_F(NetworkTest, PortsOfAStoppedSandboxAreOnlyRecorded) {
  make("", {{"127.0.0.1", 8080, 80}});
  ASSERT_TRUE(daemon->change_ports("box", {{"::1", 0, 443}}, {}));
  EXPECT_EQ(published(), "127.0.0.1:8080->80/tcp [::1]:any->443/tcp ");
  ASSERT_TRUE(daemon->change_ports("box", {}, {{"127.0.0.1", 8080, 80}}));
  daemon = world.daemon();
  EXPECT_EQ(published(), "[::1]:any->443/tcp ");
}

TEST_F(NetworkTest, ARunningSandboxShowsThePortsThatWereFound) {
  make("", {{"127.0.0.1", 0, 80}});
  start();
  EXPECT_EQ(published(), "127.0.0.1:40000->80/tcp ");
  ASSERT_TRUE(daemon->change_ports("box", {{"127.0.0.1", 0, 81}}, {}));
  EXPECT_EQ(published(), "127.0.0.1:40000->80/tcp 127.0.0.1:40001->81/tcp ");
  daemon = world.daemon();
  EXPECT_EQ(published(), "127.0.0.1:40000->80/tcp 127.0.0.1:40001->81/tcp ");
  ASSERT_TRUE(daemon->stop("box"));
  EXPECT_EQ(published(), "127.0.0.1:any->80/tcp 127.0.0.1:any->81/tcp ");
}

TEST_F(NetworkTest, APortIsTakenAwayAsItIsShown) {
  make("", {{"127.0.0.1", 0, 80}, {"127.0.0.1", 8080, 80}});
  start();
  ASSERT_TRUE(daemon->change_ports("box", {}, {{"127.0.0.1", 40000, 80}}));
  EXPECT_EQ(published(), "127.0.0.1:8080->80/tcp ");
  EXPECT_EQ(daemon->change_ports("box", {}, {{"127.0.0.1", 40000, 80}}).error().code(), Code::kNotFound);
  ASSERT_TRUE(daemon->stop("box"));
  EXPECT_EQ(published(), "127.0.0.1:8080->80/tcp ");
}

TEST_F(NetworkTest, APortThatTheGateCannotBindIsNotRecorded) {
  make();
  start();
  const auto changed = daemon->change_ports("box", {{"127.0.0.1", 81, 80}}, {});
  ASSERT_FALSE(changed);
  EXPECT_NE(changed.error().what().find("Address already in use"), std::string::npos) << changed.error().what();
  EXPECT_EQ(published(), "");
  EXPECT_TRUE(store::Store(world.home).load("box")->ports.empty());
}

TEST_F(NetworkTest, WhatACreateAsksToPublishAndToNameIsChecked) {
  wire::CreateRequest request = world.request("box");
  request.ports = {{"localhost", 0, 80}};
  EXPECT_EQ(daemon->create(request, {}).error().code(), Code::kInvalid);
  request.ports = {{"127.0.0.1", 80, 80}, {"127.0.0.1", 80, 81}};
  EXPECT_EQ(daemon->create(request, {}).error().code(), Code::kConflict);
  request.ports.assign(257, {"127.0.0.1", 0, 80});
  EXPECT_EQ(daemon->create(request, {}).error().code(), Code::kInvalid);
  request.ports.clear();
  for (const wire::StaticHost& host : std::vector<wire::StaticHost>{{"10.0.0.1", "10.0.0.2"},
                                                                    {"host.docker.internal", "10.0.0.2"},
                                                                    {"a b", "10.0.0.2"},
                                                                    {"db.test", "ten"},
                                                                    {"db.test", "0x7f.1"}}) {
    request.hosts = {host};
    EXPECT_EQ(daemon->create(request, {}).error().code(), Code::kInvalid) << host.name << " " << host.address;
  }
  request.hosts = {{"db.test", "10.0.0.1"}, {"DB.test.", "10.0.0.2"}};
  EXPECT_EQ(daemon->create(request, {}).error().code(), Code::kInvalid);
  request.hosts = {{"DB.test.", "2001:DB8::1"}};
  ASSERT_TRUE(daemon->create(request, {}));
  EXPECT_EQ(daemon->info("box")->hosts.front(), (wire::StaticHost{"db.test", "2001:db8::1"}));
}

TEST_F(NetworkTest, HostsCanBeNamedLaterRunningOrNot) {
  make();
  EXPECT_EQ(daemon->add_hosts("none", {{"db.test", "10.0.0.1"}}).error().code(), Code::kNotFound);
  EXPECT_EQ(daemon->add_hosts("box", {{"localhost", "10.0.0.1"}}).error().code(), Code::kInvalid);
  ASSERT_TRUE(daemon->add_hosts("box", {{"db.test", "10.0.0.1"}, {"a.test", "10.0.0.2"}}));
  EXPECT_FALSE(exists(file("hosts.json")));
  start();
  const auto hosts = daemon->add_hosts("box", {{"DB.test", "10.0.0.3"}});
  ASSERT_TRUE(hosts) << hosts.error().what();
  EXPECT_EQ(*hosts, (Hosts{{"a.test", "10.0.0.2"}, {"db.test", "10.0.0.3"}}));
  EXPECT_EQ(*parse_json(*read_file(file("hosts.json"))), wire::encode_hosts(*hosts));
  EXPECT_EQ(store::Store(world.home).load("box")->hosts, *hosts);
}

}  // namespace
}  // namespace sbx::sandboxes
