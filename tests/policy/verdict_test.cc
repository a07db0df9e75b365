// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/verdict.h"

#include <gtest/gtest.h>

#include "policy/words.h"

namespace sbx::policy {
namespace {

std::string explained(std::string_view edits, const char* text, const Owner& owner = {.sandbox = "box"}) {
  const Target target = target_of(text);
  return explanation(target, Policy(rules_after(edits)).at_connect(target), owner);
}

TEST(Explanation, SaysRuleReasonAndCommand) {
  EXPECT_EQ(explained("--policy deny", "example.com:443"),
            "Blocked by network policy: example.com:443\n"
            "rule: <default policy>\n"
            "reason: no rule allows it, and the policy is deny\n"
            "to allow it, on the host: sandbox network proxy box --allow-host example.com:443\n");
  EXPECT_EQ(explained("--block-host *.com", "example.com:80", {.sandbox = "box", .program = "docker sandbox"}),
            "Blocked by network policy: example.com:80\n"
            "rule: *.com\n"
            "reason: a rule blocks it\n"
            "to allow it, on the host: docker sandbox network proxy box --allow-host example.com:80\n");
  EXPECT_EQ(explained("", "[64:ff9b::a00:1]:80"),
            "Blocked by network policy: [64:ff9b::a00:1]:80\n"
            "rule: 10.0.0.0/8\n"
            "reason: its address is in a blocked range: 10.0.0.1 in 64:ff9b::a00:1\n"
            "to allow it, on the host: sandbox network proxy box --allow-host '[64:ff9b::a00:1]:80'\n");
  EXPECT_EQ(explained("", "host.docker.internal:3000"),
            "Blocked by network policy: host.docker.internal:3000\n"
            "rule: <host ports>\n"
            "reason: a port of the host itself needs a rule with its number\n"
            "to allow it, on the host: sandbox network proxy box --allow-host localhost:3000\n");
  EXPECT_EQ(explained("", "example.com:443"),
            "Allowed by network policy: example.com:443\n"
            "rule: <default policy>\n"
            "reason: no rule blocks it, and the policy is allow\n"
            "to block it, on the host: sandbox network proxy box --block-host example.com:443\n");
}

TEST(Explanation, PromisesNoCommandWhereThereIsNone) {
  const Target target = target_of("example.com:443");
  const Verdict verdict = Policy(default_rules()).at_request(target, {true, "example.com", "evil\x1b.test"});
  EXPECT_EQ(explanation(target, verdict, {.sandbox = "box"}),
            "Blocked by network policy: example.com:443\n"
            "rule: <names agree>\n"
            "reason: the request names another host than the connection: its Host is \"evil\\x1b.test\", the "
            "connection is to "
            "example.com:443\n"
            "no rule can allow it\n");
}

// The edit at the end of a command.
std::string edit_of(const std::string& command) {
  std::string edit = command.substr(command.find("--"));
  std::erase(edit, '\'');
  return edit;
}

const char* const kEdits[] = {
    "",
    "--policy deny",
    "--block-host *",
    "--block-host *:443",
    "--block-host example.com",
    "--block-host example.com:443",
    "--block-host *.com --block-cidr 1.1.1.0/24",
    "--block-host 1.1.1.1 --block-host 10.0.0.1:443",
    "--allow-host example.com:443 --allow-host localhost:443 --allow-host 10.0.0.1:443",
    "--allow-host * --block-cidr ::/0",
};
const char* const kTriedTargets[] = {
    "example.com:443", "a.b.example.com:443",      "1.1.1.1:443",         "10.0.0.1:443", "[fd00::1]:443",
    "localhost:443",   "host.docker.internal:443", "[64:ff9b::a00:1]:443"};

TEST(Remedy, TurnsTheVerdictAround) {
  for (const char* edits : kEdits)
    for (const char* text : kTriedTargets) {
      const Rules rules = rules_after(edits);
      const Target target = target_of(text);
      const Verdict before = Policy(rules).at_connect(target);
      const auto command = remedy(target, before, {.sandbox = "box"});
      ASSERT_TRUE(command) << edits << " / " << text;
      const Rules changed = *edited(rules, edits_of(edit_of(*command)));
      EXPECT_NE(Policy(changed).at_connect(target).allowed(), before.allowed())
          << edits << " / " << text << ": " << *command;
    }
}

TEST(Remedy, HelpsAgainstRangesAndForOtherProtocols) {
  const Target target = target_of("rebind.test:22");
  const Policy policy(default_rules());
  const Address address = address_of("10.0.0.1");
  const Verdict by_range = policy.at_address(target, policy.at_connect(target), address);
  const Policy changed(*edited(policy.rules(), edits_of(edit_of(*remedy(target, by_range, {.sandbox = "box"})))));
  EXPECT_FALSE(by_range.allowed());
  EXPECT_TRUE(changed.at_address(target, changed.at_connect(target), address).allowed());
  EXPECT_EQ(remedy(target, policy.at_raw(target), {.sandbox = "box"}), remedy(target, by_range, {.sandbox = "box"}));
  EXPECT_TRUE(changed.at_raw(target).allowed());
}

}  // namespace
}  // namespace sbx::policy
