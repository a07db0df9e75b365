// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/check.h"

#include <gtest/gtest.h>

#include "base/value.h"
#include "policy/edits.h"

namespace sbx::policy {
namespace {

std::string checked(const std::vector<Edit>& edits, std::string_view target) {
  const auto rules = edited(default_rules(), edits);
  const auto result = check(*rules, target, "box");
  return result ? text(*result) : result.error().what();
}

TEST(Check, SaysWhatIsAllowedByWhichRuleAndWhatIsLeftToDecide) {
  EXPECT_EQ(checked({}, "https://Example.com/path?x=1"),
            "Allowed by network policy: example.com:443\n"
            "rule: <default policy>\n"
            "reason: no rule blocks it, and the policy is allow\n"
            "to block it, on the host: sandbox network proxy box --block-host example.com\n"
            "passes: HTTP and HTTPS, inspected\n"
            "addresses: what the name resolves to is checked when it is connected to\n");
}

TEST(Check, OfWhatIsAllowedByItsNameNothingIsLeft) {
  const std::string text = checked({{"allow-host", "github.com:22"}}, "github.com:22");
  EXPECT_EQ(text.find("addresses:"), std::string::npos) << text;
}

TEST(Check, SaysWhatPassesAndWhatIsLookedAt) {
  const auto passes = [](const std::vector<Edit>& edits, std::string_view target) {
    const std::string text = checked(edits, target);
    const auto line = text.find("passes: ") + 8;
    return text.substr(line, text.find('\n', line) - line);
  };
  EXPECT_EQ(passes({{"allow-host", "a.test"}}, "a.test:22"), "HTTP and HTTPS, inspected");
  EXPECT_EQ(passes({{"allow-host", "a.test:22"}}, "a.test:22"),
            "HTTP and HTTPS, inspected; what is neither HTTP nor TLS, untouched");
  EXPECT_EQ(passes({{"allow-host", "a.test:443"}}, "a.test:443"), "HTTP and HTTPS, inspected");
  EXPECT_EQ(passes({{"bypass-host", "a.test"}}, "a.test"), "HTTP, inspected; TLS, untouched");
  EXPECT_EQ(passes({{"allow-host", "a.test:993"}, {"bypass-host", "a.test"}}, "a.test:993"),
            "HTTP, inspected; TLS and other protocols, untouched");
  EXPECT_EQ(passes({{"allow-raw", "a.test:993"}}, "a.test:993"), "anything, and nothing is looked at");
}

TEST(Check, SaysWhatSshWillMeet) {
  const auto line = [](const std::vector<Edit>& edits, std::string_view target) {
    const std::string text = checked(edits, target);
    const auto at = text.find("ssh and all else");
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_NE(line({{"allow-host", "a.test"}}, "a.test:22").find("--allow-host a.test:22"), std::string::npos);
  EXPECT_EQ(line({{"allow-host", "a.test:22"}}, "a.test:22"), "");
  EXPECT_EQ(line({{"allow-host", "a.test"}}, "a.test:443"), "");
  EXPECT_EQ(line({{"policy", "deny"}}, "a.test:22"), "");
}

TEST(Check, ARefusalIsTheOneTextThatEverybodyGets) {
  EXPECT_EQ(checked({{"policy", "deny"}}, "example.com"),
            "Blocked by network policy: example.com:443\n"
            "rule: <default policy>\n"
            "reason: no rule allows it, and the policy is deny\n"
            "to allow it, on the host: sandbox network proxy box --allow-host example.com\n");
}

TEST(Check, WhatIsNoTargetIsAnError) {
  for (const char* target : {"", "http://", "ftp://example.com/", "user@example.com", "example.com:0x50", "0x7f.1"})
    EXPECT_FALSE(check(default_rules(), target, "box")) << target;
}

TEST(Check, HasAFormForProgramsThatReadsBackTheSame) {
  const auto answer = check(default_rules(), "192.168.1.5:80", "box");
  EXPECT_EQ(text_of(*answer),
            R"({"target":"192.168.1.5:80","allowed":false,"decision":"deny","rule":"192.168.0.0/16",)"
            R"("reason":"its address is in a blocked range: 192.168.1.5","passes":"http","addresses_matter":false,)"
            R"("remedy":"sandbox network proxy box --allow-host 192.168.1.5"})");
  EXPECT_EQ(text(*value_of<PolicyCheck>(json_of(*answer), "check")), text(*answer));
}

}  // namespace
}  // namespace sbx::policy
