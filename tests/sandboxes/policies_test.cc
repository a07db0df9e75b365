// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/policies.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "policy/rules_file.h"
#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

using policy::Edit;
using policy::Mark;

class PoliciesTest : public sbx::testing::DaemonTest {
 protected:
  void make(const std::string& manner = "") { DaemonTest::make("box", manner); }
  void start() {
    const auto started = daemon->lifecycle.start("box");
    ASSERT_TRUE(started) << started.error().what();
  }
  std::string file(const std::string& name) const { return world.home.machine("box") + "/" + name; }
  policy::Rules rules_in(const std::string& name) const {
    const auto rules = policy::read_rules(read_file(file(name)).value_or(""), name);
    EXPECT_TRUE(rules) << rules.error().what();
    return rules.value_or(policy::Rules());
  }
  std::string error_of_edit(const std::vector<Edit>& edits) {
    const auto edited = daemon->policies.edit("box", edits);
    return edited ? "none" : edited.error().what();
  }
};

TEST_F(PoliciesTest, TheFileOfNewSandboxesIsMadeOnceAndNeverWrittenToAgain) {
  make();
  EXPECT_EQ(*read_file(world.policy_file), policy::write_rules(policy::default_rules()));
  ASSERT_TRUE(replace_file(world.policy_file, R"({"policy":"deny"})"));
  ASSERT_TRUE(daemon->removal.remove("box"));
  make();
  EXPECT_EQ(*read_file(world.policy_file), R"({"policy":"deny"})");
  EXPECT_EQ(daemon->policies.policy_of("box")->otherwise, Mark::kBlock);
}

TEST_F(PoliciesTest, ABadFileOfNewSandboxesIsNamedAndNothingIsMade) {
  ASSERT_TRUE(replace_file(world.policy_file, R"({"policy":"deny","network":{"allowedDomains":["a..b"]}})"));
  const auto created = daemon->creation.create(world.request("box"), {});
  ASSERT_FALSE(created);
  EXPECT_NE(created.error().what().find(world.policy_file), std::string::npos) << created.error().what();
  EXPECT_NE(created.error().what().find("allowedDomains"), std::string::npos) << created.error().what();
  EXPECT_FALSE(exists(world.home.machine("box")));
  EXPECT_TRUE(daemon->registry.list().empty());
}

TEST_F(PoliciesTest, WhereNoFileCanBeMadeTheDefaultRulesHoldWithoutIt) {
  world.policy_file = "/proc/none/proxy-config.json";
  daemon = world.daemon();
  make();
  EXPECT_EQ(*daemon->policies.policy_of("box"), policy::default_rules());
}

TEST_F(PoliciesTest, ASandboxHasItsOwnCopyWhichOthersCannotRead) {
  make();
  struct stat info {};
  ASSERT_EQ(::stat(file("proxy-config.json").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  ASSERT_TRUE(replace_file(world.policy_file, R"({"policy":"deny"})"));
  EXPECT_EQ(daemon->policies.policy_of("box")->otherwise, Mark::kAllow);
}

TEST_F(PoliciesTest, ASandboxWithABadOrMissingFileDoesNotStartUntilItIsReset) {
  make();
  for (const char* text : {"{", R"({"network":{}})", R"({"policy":"allow","extra":1})"}) {
    ASSERT_TRUE(replace_file(file("proxy-config.json"), text));
    const auto started = daemon->lifecycle.start("box");
    ASSERT_FALSE(started) << text;
    EXPECT_NE(started.error().what().find(file("proxy-config.json")), std::string::npos) << started.error().what();
    EXPECT_EQ(started.error().hint(), "sandbox network proxy box --reset");
    EXPECT_FALSE(daemon->policies.edit("box", {{"policy", "deny"}}));
  }
  ASSERT_TRUE(remove_tree(file("proxy-config.json")));
  EXPECT_FALSE(daemon->lifecycle.start("box"));
  ASSERT_TRUE(daemon->policies.edit("box", {{"reset", ""}, {"policy", "deny"}}));
  EXPECT_EQ(rules_in("proxy-config.json").otherwise, Mark::kBlock);
  start();
}

TEST_F(PoliciesTest, AMachineStartsWithTheRulesOfTheFile) {
  make();
  ASSERT_TRUE(daemon->policies.edit("box", {{"policy", "deny"}, {"allow-host", "example.com"}}));
  start();
  EXPECT_EQ(rules_in("gate.json"), *daemon->policies.policy_of("box"));
  EXPECT_EQ(rules_in("gate.json").otherwise, Mark::kBlock);
}

TEST_F(PoliciesTest, AChangeHoldsAtOnceAndForGood) {
  make();
  start();
  ASSERT_TRUE(daemon->policies.edit("box", {{"policy", "deny"}}));
  EXPECT_EQ(rules_in("gate.json").otherwise, Mark::kBlock);
  EXPECT_EQ(rules_in("proxy-config.json").otherwise, Mark::kBlock);
  daemon = world.daemon();
  EXPECT_EQ(daemon->policies.policy_of("box")->otherwise, Mark::kBlock);
}

TEST_F(PoliciesTest, OneBadEditOfSeveralChangesNothing) {
  make();
  const std::string before = *read_file(file("proxy-config.json"));
  EXPECT_NE(error_of_edit({{"policy", "deny"}, {"block-cidr", "10.0.0.1/8"}}).find("--block-cidr"), std::string::npos);
  EXPECT_NE(error_of_edit({{"policy", "deny"}, {"frobnicate", ""}}).find("frobnicate"), std::string::npos);
  EXPECT_EQ(*read_file(file("proxy-config.json")), before);
}

TEST_F(PoliciesTest, AGateThatCannotBeToldIsAnErrorThatSaysWhatIsChangedAndWhatIsNot) {
  make("mute");
  start();
  const auto edited = daemon->policies.edit("box", {{"policy", "deny"}});
  ASSERT_FALSE(edited);
  EXPECT_NE(edited.error().what().find("is changed, but the running sandbox may not keep to it"), std::string::npos)
      << edited.error().what();
  EXPECT_EQ(edited.error().hint(), "sandbox stop box");
  EXPECT_EQ(rules_in("proxy-config.json").otherwise, Mark::kBlock);
}

TEST_F(PoliciesTest, ANewDaemonTellsARunningMachineWhatItsFileSays) {
  make();
  start();
  policy::Rules rules = policy::default_rules();
  rules.otherwise = Mark::kBlock;
  ASSERT_TRUE(replace_file(file("proxy-config.json"), policy::write_rules(rules)));
  daemon = world.daemon();
  EXPECT_EQ(rules_in("gate.json"), rules);
}

TEST_F(PoliciesTest, EditsAtOnceDoNotLoseEachOther) {
  make();
  start();
  std::vector<std::jthread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&, host = "h" + std::to_string(i) + ".test"] {
      EXPECT_TRUE(daemon->policies.edit("box", {{"allow-host", host}}));
    });
  threads.clear();
  EXPECT_EQ(daemon->policies.policy_of("box")->allowed.size(), 16u);
  EXPECT_EQ(rules_in("gate.json"), *daemon->policies.policy_of("box"));
}

TEST_F(PoliciesTest, ASandboxThatIsNotThereHasNoPolicy) {
  EXPECT_EQ(daemon->policies.policy_of("none").error().code(), Code::kNotFound);
  EXPECT_EQ(daemon->policies.edit("none", {{"policy", "deny"}}).error().code(), Code::kNotFound);
}

}  // namespace
}  // namespace sbx::sandboxes
