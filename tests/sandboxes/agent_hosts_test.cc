// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/agent_hosts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "policy/pattern.h"
#include "policy/policy.h"
#include "policy/target.h"
#include "secrets/services.h"
#include "support/daemon_test.h"
#include "support/paths.h"

namespace sbx::sandboxes {
namespace {

policy::Rules rules_under_the_preset(const std::string& agent) {
  const auto rules =
      policy::edited(policy::default_rules(), with_agent_hosts({{"preset", "agent"}}, agents::find(agent)));
  EXPECT_TRUE(rules) << rules.error().what();
  return rules.value_or(policy::Rules());
}

bool allows(const policy::Rules& rules, const std::string& host) {
  return policy::Policy(rules).at_connect(*policy::parse_target(host + ":443")).allowed();
}

std::string words_of(const std::vector<policy::Edit>& edits) {
  std::string words;
  for (const policy::Edit& edit : edits) words += edit.name + "=" + edit.value + " ";
  return words;
}

TEST(AgentHosts, EveryAgentReachesTheHostsOfItsCredentialsUnderThePreset) {
  for (const agents::Agent& agent : agents::table()) {
    const policy::Rules rules = rules_under_the_preset(agent.name);
    for (const secrets::Service& service : secrets::services()) {
      if (service.name != agent.service && !agent.any_service) continue;
      for (const secrets::Place& place : service.places)
        for (const std::string& host : place.hosts) EXPECT_TRUE(allows(rules, host)) << agent.name << " " << host;
    }
  }
}

TEST(AgentHosts, EveryAgentButAShellHasAServiceOrHostsOfItsOwn) {
  for (const agents::Agent& agent : agents::table())
    EXPECT_EQ(agent_hosts(agent).empty(), agent.name == "shell") << agent.name;
}

TEST(AgentHosts, EveryServiceOfAnAgentIsInTheTableOfServices) {
  const std::vector<std::string> known = secrets::service_names();
  for (const agents::Agent& agent : agents::table())
    EXPECT_TRUE(agent.service.empty() || std::ranges::find(known, agent.service) != known.end())
        << agent.name << " " << agent.service;
}

TEST(AgentHosts, ALoginByAccountIsReachedToo) {
  EXPECT_TRUE(allows(rules_under_the_preset("codex"), "chatgpt.com"));
  EXPECT_TRUE(allows(rules_under_the_preset("codex"), "auth.openai.com"));
  EXPECT_TRUE(allows(rules_under_the_preset("gemini"), "cloudcode-pa.googleapis.com"));
  EXPECT_TRUE(allows(rules_under_the_preset("copilot"), "telemetry.individual.githubcopilot.com"));
  EXPECT_TRUE(allows(rules_under_the_preset("opencode"), "openrouter.ai"));
}

TEST(AgentHosts, OnesOfAnotherAgentAreNotAllowed) {
  EXPECT_FALSE(allows(rules_under_the_preset("claude"), "chatgpt.com"));
  EXPECT_FALSE(allows(rules_under_the_preset("codex"), "generativelanguage.googleapis.com"));
  EXPECT_FALSE(allows(rules_under_the_preset("shell"), "openrouter.ai"));
}

TEST(AgentHosts, AreWellFormedPatternsWithoutPorts) {
  for (const agents::Agent& agent : agents::table())
    for (const std::string& host : agent_hosts(agent)) {
      const auto pattern = policy::Pattern::parse(host);
      ASSERT_TRUE(pattern) << host;
      EXPECT_EQ(pattern->text(), host);
      EXPECT_FALSE(pattern->port()) << host << " would let other protocols through";
    }
}

TEST(AgentHosts, ComeWithThePresetAloneAndYieldToLaterEdits) {
  const agents::Agent* amp = agents::find("amp");
  EXPECT_EQ(words_of(with_agent_hosts({{"policy", "deny"}}, amp)), "policy=deny ");
  EXPECT_EQ(words_of(with_agent_hosts({{"preset", "agent"}}, nullptr)), "preset=agent ");
  EXPECT_EQ(words_of(with_agent_hosts({{"preset", "agent"}, {"block-host", "ampcode.com"}}, amp)),
            "preset=agent allow-host=ampcode.com block-host=ampcode.com ");
}

TEST(AgentHosts, AreInTheDocument) {
  const std::string text = *read_file(sbx::testing::source_file("docs/network-policy.md"));
  for (const agents::Agent& agent : agents::table())
    for (const std::string& host : agent.preset_hosts)
      EXPECT_NE(text.find("`" + host + "`"), std::string::npos) << agent.name << " " << host;
}

using AgentHostsOfSandboxesTest = sbx::testing::DaemonTest;

TEST_F(AgentHostsOfSandboxesTest, AreAllowedAtCreationAndByALaterPreset) {
  wire::CreateRequest request = world.request("box");
  request.agent = "codex";
  ASSERT_TRUE(daemon->creation.create(request, {}));
  EXPECT_TRUE(daemon->policies.policy_of("box")->allowed.empty());
  const auto edited = daemon->policies.edit("box", {{"preset", "agent"}});
  ASSERT_TRUE(edited) << edited.error().what();
  EXPECT_TRUE(allows(*edited, "chatgpt.com"));

  request = world.request("second");
  request.agent = "codex";
  request.policy = {{"preset", "agent"}};
  ASSERT_TRUE(daemon->creation.create(request, {}));
  EXPECT_TRUE(allows(*daemon->policies.policy_of("second"), "chatgpt.com"));
}

}  // namespace
}  // namespace sbx::sandboxes
