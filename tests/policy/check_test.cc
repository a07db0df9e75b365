// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/check.h"

#include <gtest/gtest.h>

#include "policy/edits.h"

namespace sbx::policy {
namespace {

const Owner kOwner{"box", "docker sandbox"};

std::string checked(const std::vector<Edit>& edits, std::string_view target) {
  const auto rules = edited(default_rules(), edits);
  const auto result = check(*rules, target);
  return result ? text(*result, kOwner) : result.error().what();
}

TEST(Check, SaysWhatIsAllowedByWhichRuleAndWhatIsLeftToDecide) {
  EXPECT_EQ(checked({}, "https://Example.com/path?x=1"),
            "Allowed by network policy: example.com:443\n"
            "rule: <default policy>\n"
            "reason: no rule blocks it, and the policy is allow\n"
            "to block it, on the host: docker sandbox network proxy box --block-host example.com:443\n"
            "passes: HTTP and TLS only, inspected\n"
            "addresses: what the name resolves to is checked when it is connected to\n");
}

TEST(Check, OfWhatIsAllowedByItsNameNothingIsLeft) {
  const std::string text = checked({{"allow-host", "github.com:22"}}, "github.com:22");
  EXPECT_NE(text.find("passes: any protocol, inspected\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("addresses:"), std::string::npos) << text;
}

TEST(Check, ABypassedHostIsNotInspected) {
  EXPECT_NE(checked({{"bypass-host", "a.test"}}, "a.test").find("passes: HTTP and TLS only, not inspected\n"),
            std::string::npos);
}

TEST(Check, ARefusalIsTheOneTextThatEverybodyGets) {
  EXPECT_EQ(checked({{"policy", "deny"}}, "example.com"),
            "Blocked by network policy: example.com:443\n"
            "rule: <default policy>\n"
            "reason: no rule allows it, and the policy is deny\n"
            "to allow it, on the host: docker sandbox network proxy box --allow-host example.com:443\n");
}

TEST(Check, WhatIsNoTargetIsAnError) {
  for (const char* target : {"", "http://", "ftp://example.com/", "user@example.com", "example.com:0x50", "0x7f.1"})
    EXPECT_FALSE(check(default_rules(), target)) << target;
}

TEST(Check, HasAFormForPrograms) {
  EXPECT_EQ(dump(encode(*check(default_rules(), "192.168.1.5:80"), kOwner)),
            R"({"target":"192.168.1.5:80","allowed":false,"decision":"deny","rule":"192.168.0.0/16",)"
            R"("reason":"its address is in a blocked range: 192.168.1.5","raw":false,"addresses_matter":false,)"
            R"("remedy":"docker sandbox network proxy box --allow-host 192.168.1.5:80"})");
}

}  // namespace
}  // namespace sbx::policy
