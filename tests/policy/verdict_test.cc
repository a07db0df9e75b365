// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/verdict.h"

#include <gtest/gtest.h>

#include "policy/names.h"
#include "policy/words.h"

namespace sbx::policy {
namespace {

using namespace std::string_literals;

std::string explained(std::string_view edits, const char* text) {
  const Target target = target_of(text);
  return explanation(target, Policy(rules_after(edits)).at_connect(target), "box");
}

TEST(Explanation, SaysRuleReasonAndCommand) {
  EXPECT_EQ(explained("--policy deny", "example.com:443"),
            "Blocked by network policy: example.com:443\n"
            "rule: <default policy>\n"
            "reason: no rule allows it, and the policy is deny\n"
            "to allow it, on the host: sandbox network proxy box --allow-host example.com\n");
  EXPECT_EQ(explained("--block-host *.com", "example.com:80"),
            "Blocked by network policy: example.com:80\n"
            "rule: *.com\n"
            "reason: a rule blocks it\n"
            "to allow it, on the host: sandbox network proxy box --allow-host example.com\n");
  EXPECT_EQ(explained("", "[64:ff9b::a00:1]:80"),
            "Blocked by network policy: [64:ff9b::a00:1]:80\n"
            "rule: 10.0.0.0/8\n"
            "reason: its address is in a blocked range: 10.0.0.1 in 64:ff9b::a00:1\n"
            "to allow it, on the host: sandbox network proxy box --allow-host '[64:ff9b::a00:1]'\n");
  EXPECT_EQ(explained("", "host.docker.internal:3000"),
            "Blocked by network policy: host.docker.internal:3000\n"
            "rule: <host ports>\n"
            "reason: a port of the host itself needs a rule with its number\n"
            "to allow it, on the host: sandbox network proxy box --allow-host localhost:3000\n");
  EXPECT_EQ(explained("", "example.com:443"),
            "Allowed by network policy: example.com:443\n"
            "rule: <default policy>\n"
            "reason: no rule blocks it, and the policy is allow\n"
            "to block it, on the host: sandbox network proxy box --block-host example.com\n"
            "passes: HTTP and HTTPS, inspected\n"
            "addresses: what the name resolves to is checked when it is connected to\n");
}

TEST(Explanation, PromisesNoCommandWhereThereIsNone) {
  const Target target = target_of("example.com:443");
  const Verdict verdict = *refused_authority(target, true, "evil\x1b.test");
  EXPECT_EQ(explanation(target, verdict, "box"),
            "Blocked by network policy: example.com:443\n"
            "rule: <names agree>\n"
            "reason: the request names another host than the connection: its Host is \"evil\\x1b.test\", the "
            "connection is to "
            "example.com:443\n"
            "no rule allows this in what is inspected\n");
}

struct Hint {
  const char* edits;
  const char* target;
  const char* command;  // its end
};

// A port is named where a rule without it would not do, or would do more than is asked for.
const Hint kHints[] = {
    {"--policy deny", "example.com:80", "--allow-host example.com"},
    {"--policy deny", "example.com:443", "--allow-host example.com"},
    {"--policy deny", "example.com:8443", "--allow-host example.com:8443"},
    {"--policy deny", "github.com:22", "--allow-host github.com:22"},
    {"--block-host example.com", "example.com:443", "--allow-host example.com"},
    {"--block-host example.com:443", "example.com:443", "--allow-host example.com:443"},
    {"--block-host *:443", "example.com:443", "--allow-host example.com"},
    {"", "localhost:443", "--allow-host localhost:443"},
    {"", "192.168.1.5:80", "--allow-host 192.168.1.5"},
    {"", "example.com:443", "--block-host example.com"},
    {"--allow-host example.com:443", "example.com:443", "--block-host example.com:443"},
    {"--allow-raw imap.example.com:993", "imap.example.com:993", "--block-host imap.example.com:993"},
};

TEST(Remedy, NamesAPortWhereItIsNeeded) {
  for (const auto& [edits, target, command] : kHints) {
    const Verdict verdict = Policy(rules_after(edits)).at_connect(target_of(target));
    EXPECT_EQ(remedy(target_of(target), verdict, "box"), "sandbox network proxy box "s + command) << edits;
  }
}

// The edit at the end of a command.
std::string edit_of(const std::string& command) {
  std::string edit = command.substr(command.find("--"));
  std::erase(edit, '\'');
  return edit;
}

const char* const kEdits[] = {
    "",
    "--allow-raw example.com:443 --allow-raw 1.1.1.1:443",
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
      const auto command = remedy(target, before, "box");
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
  const Policy changed(*edited(policy.rules(), edits_of(edit_of(*remedy(target, by_range, "box")))));
  EXPECT_FALSE(by_range.allowed());
  EXPECT_TRUE(changed.at_address(target, changed.at_connect(target), address).allowed());
  EXPECT_EQ(remedy(target, policy.at_other(target), "box"), remedy(target, by_range, "box"));
  EXPECT_TRUE(changed.at_other(target).allowed());
}

TEST(Remedy, ForOtherProtocolsIsTheNarrowestRuleThatLetsThemPass) {
  const Policy policy(rules_after("--allow-host example.com:443 --allow-host example.com:993"));
  const Target https = target_of("example.com:443");
  const Target imaps = target_of("example.com:993");
  EXPECT_EQ(remedy(https, policy.at_other(https), "box"), "sandbox network proxy box --allow-raw example.com:443");
  EXPECT_EQ(remedy(imaps, policy.at_other_inside(imaps), "box"),
            "sandbox network proxy box --bypass-host example.com:993");
  const auto after = [&](const char* edits) { return Policy(*edited(policy.rules(), edits_of(edits))); };
  EXPECT_TRUE(after("--allow-raw example.com:443").at_other(https).allowed());
  EXPECT_EQ(after("--bypass-host example.com:993").at_hello(imaps, "example.com").decision, Decision::kTunnel);
}

}  // namespace
}  // namespace sbx::policy
