// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/policy_text.h"

#include <gtest/gtest.h>

#include "cli/grammar/flag_tables.h"
#include "support/golden.h"

namespace sbx::cli {
namespace {

std::string edits(const std::vector<std::string>& words) {
  const auto arguments = parse_flags(words, all_of({network_proxy_flags(), global_flags()}), Grammar::kInterspersed);
  if (!arguments) return arguments.error().what();
  std::string out;
  for (const auto& edit : edits_from(*arguments)) out += edit.name + "(" + edit.value + ") ";
  return out;
}

TEST(PolicyText, EditsKeepTheOrderOfTheCommandLine) {
  EXPECT_EQ(edits({"box", "--block-host", "b.test", "--policy=deny", "--allow-host", "a.test", "--block-host=c.test"}),
            "block-host(b.test) policy(deny) allow-host(a.test) block-host(c.test) ");
  EXPECT_EQ(edits({"--reset", "box", "--preset", "agent"}), "reset() preset(agent) ");
  EXPECT_EQ(edits({"box", "--policy", "deny", "--policy", "allow"}), "policy(deny) policy(allow) ");
}

TEST(PolicyText, WhatIsNoEditIsNone) {
  EXPECT_EQ(edits({"box", "--json", "--debug"}), "");
  EXPECT_EQ(edits({"box", "--reset=false"}), "");
}

TEST(PolicyText, EveryEditThatThePolicyKnowsIsAFlag) {
  for (const auto& kind : policy::edit_kinds()) {
    std::vector<std::string> words{"box", "--" + std::string(kind.name)};
    if (!kind.value.empty()) words.emplace_back("x");
    EXPECT_EQ(edits(words), std::string(kind.name) + (kind.value.empty() ? "() " : "(x) "));
  }
}

TEST(PolicyText, ShowsEveryListUnderItsTitle) {
  const auto rules = policy::edited(policy::default_rules(), {{"policy", "deny"},
                                                              {"allow-host", "api.example.com"},
                                                              {"allow-host", "*.example.org:443"},
                                                              {"block-host", "bad.example.com"},
                                                              {"bypass-host", "pinned.example.com"},
                                                              {"allow-raw", "imap.example.com:993"},
                                                              {"allow-cidr", "192.168.1.0/24"}});
  ASSERT_TRUE(rules) << rules.error().what();
  testing::expect_golden("cli/policy.txt", policy_text(*rules));
  EXPECT_EQ(policy_line(*rules), "deny, hosts: 2 allowed, 1 for any protocol, 1 blocked; ranges: 1 allowed, 8 blocked");
  EXPECT_EQ(dump(policy_summary(*rules)),
            R"({"policy":"deny","allowed_hosts":2,"raw_hosts":1,"blocked_hosts":1,"bypassed_hosts":1,)"
            R"("allowed_ranges":1,"blocked_ranges":8,"bypassed_ranges":0})");
}

TEST(PolicyText, SaysThatNothingIsLogged) {
  policy::Rules rules = policy::default_rules();
  rules.log_allowed = rules.log_blocked = false;
  EXPECT_NE(policy_text(rules).find("Logged: nothing\n"), std::string::npos);
}

}  // namespace
}  // namespace sbx::cli
