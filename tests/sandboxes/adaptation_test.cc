// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/adaptation.h"

#include <gtest/gtest.h>

#include "base/socket.h"
#include "support/daemon_test.h"
#include "support/temporary_directory.h"

namespace sbx::sandboxes {
namespace {

// What run asks for.
class AdaptationTest : public sbx::testing::DaemonTest {
 protected:
  static wire::CreateRequest run(const std::string& name) {
    wire::CreateRequest request;
    request.name = name;
    request.reuse = request.start = true;
    return request;
  }
  wire::CreateRequest run_agent() const {
    wire::CreateRequest request = world.request();
    request.reuse = request.start = true;
    return request;
  }
  Result<wire::SandboxInfo> asked(const wire::CreateRequest& request) { return daemon->creation.create(request, {}); }
  std::string refusal(const wire::CreateRequest& request) {
    const auto answer = asked(request);
    EXPECT_FALSE(answer);
    return answer ? "" : answer.error().what();
  }
};

TEST_F(AdaptationTest, ARunMakesStartsAndAnswersInOneRequest) {
  const auto made = asked(run_agent());
  ASSERT_TRUE(made) << made.error().what();
  EXPECT_TRUE(made->created);
  EXPECT_EQ(made->status, wire::Status::kRunning);
  ASSERT_TRUE(daemon->lifecycle.stop(made->name));
  const auto again = asked(run_agent());
  ASSERT_TRUE(again) << again.error().what();
  EXPECT_EQ(again->id, made->id);
  EXPECT_FALSE(again->created);
  EXPECT_EQ(again->status, wire::Status::kRunning);
}

TEST_F(AdaptationTest, LoginsOfRegistriesAreTakenUpByOneThatDoesNotRun) {
  make("box");
  auto request = run("box");
  request.registry_auth = true;
  request.start = false;
  ASSERT_TRUE(asked(request));
  EXPECT_TRUE((*daemon->registry.find("box"))->record().registry_auth);
  request.registry_auth = false;
  ASSERT_TRUE(asked(request));
  EXPECT_TRUE((*daemon->registry.find("box"))->record().registry_auth) << "what is not asked for stays";
  make("other");
  ASSERT_TRUE(daemon->lifecycle.start("other"));
  auto running = run("other");
  running.registry_auth = true;
  EXPECT_NE(refusal(running).find("only its next start can give it --registry-auth"), std::string::npos);
}

TEST_F(AdaptationTest, AnotherSshAgentIsNotedAndTheFirstNeedsAStart) {
  const sbx::testing::TemporaryDirectory directory;
  const Fd first = *listen_unix(directory / "first");
  const Fd second = *listen_unix(directory / "second");
  make("box");
  auto request = run("box");
  request.ssh_agent = directory / "first";
  ASSERT_TRUE(asked(request)) << "which starts it";
  request.ssh_agent = directory / "second";
  const auto again = asked(request);
  ASSERT_TRUE(again) << again.error().what();
  EXPECT_EQ(again->ssh_agent, directory / "second");
  request.ssh_agent = directory / "none";
  EXPECT_NE(refusal(request).find("ssh-agent"), std::string::npos);
  make("other");
  ASSERT_TRUE(daemon->lifecycle.start("other"));
  auto running = run("other");
  running.ssh_agent = directory / "first";
  EXPECT_NE(refusal(running).find("only its next start can give it --ssh-agent"), std::string::npos);
}

TEST_F(AdaptationTest, HowLongItLivesIsChangedAtOnceAndKept) {
  make("box");
  auto request = run("box");
  request.ttl_s = 86400;
  request.idle_stop_s = 600;
  ASSERT_TRUE(asked(request));
  ASSERT_TRUE(asked(run("box")));  // what is not asked for stays
  daemon = world.daemon();
  EXPECT_EQ(daemon->registry.info("box")->ttl_s, 86400);
  EXPECT_EQ(daemon->registry.info("box")->idle_stop_s, 600);
}

TEST_F(AdaptationTest, ARunThatIsAskedForAgainIsTheSameSandboxStarted) {
  const auto key = wire::RequestKey::random();
  const auto first = daemon->creation.create(run_agent(), {}, key);
  ASSERT_TRUE(first);
  ASSERT_TRUE(daemon->lifecycle.stop(first->name));
  daemon = world.daemon();
  const auto again = daemon->creation.create(run_agent(), {}, key);
  ASSERT_TRUE(again) << again.error().what();
  EXPECT_EQ(again->id, first->id);
  EXPECT_TRUE(again->created) << "as if it had just been made";
  EXPECT_EQ(again->status, wire::Status::kRunning);
}

TEST_F(AdaptationTest, ANameAloneMeansTheOneThatIsThere) {
  make("box");
  const auto found = asked(run("box"));
  ASSERT_TRUE(found) << found.error().what();
  EXPECT_FALSE(found->created);
  EXPECT_EQ(found->status, wire::Status::kRunning);
  const auto none = asked(run("none"));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), Code::kNotFound);
  EXPECT_EQ(none.error().what(), "sandbox \"none\" not found");
  EXPECT_EQ(daemon->registry.list().size(), 1u);
}

TEST_F(AdaptationTest, WhatOnlyANewOneCanHaveIsAConflictAndChangesNothing) {
  make("box");
  wire::CreateRequest request = run("box");
  request.backend = "fake-vm";
  request.ports = {{"127.0.0.1", 8080, 80}};
  EXPECT_EQ(refusal(request),
            "sandbox box is there already, and only a new one can have --backend fake-vm (it has fake)");
  EXPECT_EQ(status("box"), wire::Status::kStopped);
  EXPECT_TRUE(daemon->registry.info("box")->ports.empty());
  request = run_agent();
  request.name = "box";
  ASSERT_TRUE(make_directories(world.root + "/data"));
  request.mounts = {{world.root + "/project/../data", "/srv", true}};
  EXPECT_NE(refusal(request).find("--volume " + world.root + "/data:/srv:ro (it has none)"), std::string::npos);
}

TEST_F(AdaptationTest, PortsAreAddedWhetherItRunsOrNotAndOnce) {
  make("box");
  wire::CreateRequest request = run("box");
  request.ports = {{"127.0.0.1", 0, 80}, {"127.0.0.1", 8081, 81}};
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(asked(request));
  EXPECT_EQ(daemon->registry.info("box")->ports.size(), 2u);
  request.ports = {{"127.0.0.1", 8082, 80}};
  ASSERT_TRUE(asked(request));
  EXPECT_EQ(daemon->registry.info("box")->ports.size(), 3u) << "another port of the host's";
}

TEST_F(AdaptationTest, APortOnEveryAddressServesOne) {
  wire::CreateRequest request = world.request("box");
  request.ports = {{"0.0.0.0", 8080, 80}};
  ASSERT_TRUE(asked(request));
  request = run("box");
  request.ports = {{"127.0.0.1", 8080, 80}};
  EXPECT_EQ(asked(request)->ports.size(), 1u);
  request.ports = {{"::1", 8080, 80}};
  EXPECT_EQ(asked(request)->ports.size(), 2u);
}

TEST_F(AdaptationTest, HostsAreReplacedByName) {
  make("box");
  wire::CreateRequest request = run("box");
  request.hosts = {{"db.test", "10.0.0.1"}, {"web.test", "10.0.0.2"}};
  ASSERT_TRUE(asked(request));
  request.hosts = {{"db.test", "10.0.0.3"}};
  const auto info = asked(request);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->hosts, (Hosts{{"db.test", "10.0.0.3"}, {"web.test", "10.0.0.2"}}));
}

TEST_F(AdaptationTest, LabelsAreMergedAndKept) {
  wire::CreateRequest made = world.request("box");
  made.labels = {{"team", "core"}, {"ticket", "1"}};
  ASSERT_TRUE(asked(made));
  wire::CreateRequest request = run("box");
  request.labels = {{"ticket", "2"}, {"new", ""}};
  const auto info = asked(request);
  ASSERT_TRUE(info) << info.error().what();
  EXPECT_EQ(info->labels, (wire::Labels{{"team", "core"}, {"ticket", "2"}, {"new", ""}}));
  daemon = world.daemon();
  EXPECT_EQ(daemon->registry.info("box")->labels, info->labels);
  request.labels = {{"large", std::string(wire::kMostLabelBytes - 10, 'x')}};
  request.ports = {{"127.0.0.1", 8080, 80}};
  EXPECT_EQ(refusal(request), "the labels of box would be more than 64 KiB");
  EXPECT_TRUE(daemon->registry.info("box")->ports.empty()) << "nothing was changed";
}

TEST_F(AdaptationTest, LimitsOfOneThatIsStoppedHoldFromItsStartOn) {
  make("box");
  wire::CreateRequest request = run("box");
  request.limits.memory = 1 << 30;
  request.limits.pids = 50;
  const auto changed = asked(request);
  ASSERT_TRUE(changed) << changed.error().what();
  EXPECT_EQ(changed->limits.memory, 1 << 30);
  EXPECT_EQ(changed->limits.pids, 50);
  EXPECT_EQ(store::Store(world.home).load("box")->limits.pids, 50);
  EXPECT_TRUE(asked(request)) << "it has them";
  request.limits.memory = 2 << 20;
  EXPECT_EQ(refusal(request), "sandbox box runs, and only its next start can give it --memory 2m (it has 1g)");
  EXPECT_EQ(daemon->registry.info("box")->limits.memory, 1 << 30);
}

TEST_F(AdaptationTest, APolicyIsChangedAtOnceOrNothingIs) {
  wire::CreateRequest request = run_agent();
  request.policy = {{"policy", "deny"}};
  const std::string name = asked(request)->name;
  request.policy = {{"allow-host", "a.test"}};
  ASSERT_TRUE(asked(request)) << "it runs meanwhile";
  EXPECT_EQ(daemon->policies.policy_of(name)->allowed.front().text(), "a.test");
  EXPECT_EQ(daemon->policies.policy_of(name)->otherwise, policy::Mark::kBlock) << "what it had stays";
  request.policy = {{"policy", "allow"}, {"remove-host", "none.test"}};
  request.labels = {{"a", "b"}};
  EXPECT_EQ(refusal(request), "--remove-host: no rule for none.test");
  EXPECT_EQ(daemon->policies.policy_of(name)->otherwise, policy::Mark::kBlock);
  EXPECT_TRUE(daemon->registry.info(name)->labels.empty());
  request.policy.clear();
  ASSERT_TRUE(asked(request));
  EXPECT_EQ(daemon->policies.policy_of(name)->allowed.size(), 1u) << "what is not asked for stays";
}

TEST_F(AdaptationTest, AnMcpServerThatBecomesAnotherTakesItsRuleAlong) {
  make("box");
  auto request = run("box");
  request.start = false;
  request.policy = {{"policy", "deny"}};
  request.mcp = {{"web", "https://a.test/"}};
  ASSERT_TRUE(asked(request));
  request.policy = {};
  request.mcp = {{"web", "https://b.test/"}};
  ASSERT_TRUE(asked(request));
  const auto rules = daemon->policies.policy_of("box");
  ASSERT_EQ(rules->allowed.size(), 1u);
  EXPECT_EQ(rules->allowed.front().text(), "b.test:443");
}

TEST_F(AdaptationTest, AnMcpServerThatIsGrantedAgainIsRevokedNoMore) {
  make("box");
  auto request = run("box");
  request.start = false;
  request.mcp = {{"web", "https://a.test/"}};
  ASSERT_TRUE(asked(request));
  ASSERT_TRUE(daemon->mcp_grants.change("box", {{}, {"web"}}));
  ASSERT_TRUE(asked(request));
  const store::Record record = (*daemon->registry.find("box"))->record();
  EXPECT_EQ(record.mcp.size(), 1u);
  EXPECT_TRUE(record.mcp_revoked.empty());
}

TEST_F(AdaptationTest, TheBackendHasItsSayInLimits) {
  ASSERT_TRUE(asked(world.virtual_machine("box")));
  wire::CreateRequest request = run("box");
  request.limits.memory = 4096;
  EXPECT_EQ(refusal(request), "no kernel boots in so little memory");
}

TEST_F(AdaptationTest, OfSeveralItIsTheOneWithTheDefaultNameThenTheOneThatWasUsedLast) {
  WallTime time = now();
  world.clock = [&] { return time += std::chrono::seconds(1); };
  for (const char* name : {"aa", "bb", "cc"}) make(name);
  for (const char* name : {"aa", "cc", "bb"}) {
    ASSERT_TRUE(daemon->lifecycle.start(name));
    ASSERT_TRUE(daemon->lifecycle.stop(name));
  }
  EXPECT_EQ(asked(run_agent())->name, "bb");
  daemon = world.daemon();
  const auto last = asked(run_agent());
  EXPECT_EQ(last->name, "bb") << "another daemon knows it, too";
  EXPECT_EQ(last->note, "3 sandboxes are for shell in " + world.workspace +
                            ": this is bb; there is also cc, aa (sandbox run NAME).");
  wire::ExecRequest exec;
  exec.command = {"true"};
  ASSERT_TRUE(daemon->execs.exec_detached("aa", exec));
  EXPECT_EQ(asked(run_agent())->name, "aa") << "an exec is a use";
  make("shell-project");
  EXPECT_EQ(asked(run_agent())->name, "shell-project");
  EXPECT_EQ(asked(run("cc"))->note, "") << "a name is no choice";
}

}  // namespace
}  // namespace sbx::sandboxes
