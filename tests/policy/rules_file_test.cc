// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/rules_file.h"

#include <gtest/gtest.h>

#include "policy/words.h"
#include "support/golden.h"

namespace sbx::policy {
namespace {

TEST(RulesFile, IsWrittenInTheVendorsForm) {
  testing::expect_golden("policy/default.json", write_rules(default_rules()));
  testing::expect_golden(
      "policy/edited.json",
      write_rules(rules_after("--policy deny --allow-host *.example.com --allow-host [2001:db8::1]:443"
                              " --block-host example.com --allow-cidr 10.1.0.0/16 --bypass-host *:8443"
                              " --bypass-cidr 203.0.113.0/24 --allow-raw imap.example.com:993")));
}

TEST(RulesFile, WhatIsOursIsWrittenOnlyIfThereIsAny) {
  for (const char* ours : {"allowedCIDRs", "rawDomains"})
    EXPECT_EQ(write_rules(default_rules()).find(ours), std::string::npos) << ours;
}

TEST(RulesFile, ARawHostThatIsAlsoAllowedIsRawAndOneThatIsAlsoBlockedIsBlocked) {
  const auto rules = read_rules(
      R"({"policy":"deny","network":{"allowedDomains":["a.test:993"],"rawDomains":["a.test:993","b.test:993"],"blockedDomains":["b.test:993"]}})",
      "file");
  ASSERT_TRUE(rules) << rules.error().what();
  EXPECT_EQ(Policy(*rules).at_connect(target_of("a.test:993")).passes, Passes::kRaw);
  EXPECT_FALSE(Policy(*rules).at_connect(target_of("b.test:993")).allowed());
}

TEST(RulesFile, ReadsTheOtherForms) {
  const auto rules = read_rules(
      R"({"policy":"allow","network":{"allowedDomains":["api.example.com"],"blockedDomains":["blocked.com"],"blockCIDR":["10.0.0.0/8"]}})",
      "file");
  ASSERT_TRUE(rules) << rules.error().what();
  EXPECT_EQ(rules->otherwise, Mark::kAllow);
  EXPECT_EQ(rules->allowed.front().text(), "api.example.com");
  EXPECT_EQ(rules->blocked.front().text(), "blocked.com");
  ASSERT_EQ(rules->blocked_ranges.size(), 1U);
  EXPECT_EQ(rules->blocked_ranges.front().text(), "10.0.0.0/8");
}

TEST(RulesFile, ReadsAFileOfTheVendors) {
  const auto rules = read_rules(
      R"({"policy":{"default":"deny","logBlocked":false,"logAllowed":false},"network":{"allowedDomains":[],
          "blockedDomains":["metadata.google.internal"],"blockedCIDRs":["10.0.0.0/8"],"bypassDomains":[],"bypassCIDRs":[]}})",
      "file");
  ASSERT_TRUE(rules) << rules.error().what();
  EXPECT_EQ(rules->otherwise, Mark::kBlock);
  EXPECT_FALSE(rules->log_blocked);
  EXPECT_FALSE(rules->log_allowed);
}

TEST(RulesFile, WhatItDoesNotSayIsTheDefault) {
  EXPECT_EQ(*read_rules(R"({"policy":"allow"})", "file"), default_rules());
  EXPECT_EQ(*read_rules(R"({"policy":{"default":"allow"},"network":{}})", "file"), default_rules());
  EXPECT_TRUE(read_rules(R"({"policy":"allow","network":{"blockedCIDRs":[]}})", "file")->blocked_ranges.empty());
}

TEST(RulesFile, CountsOnceWhatIsThereTwiceAndKeepsTheOrder) {
  const auto rules = read_rules(
      R"({"policy":"deny","network":{"allowedDomains":["b.test","a.test","B.test.","a.test"],"bypassCIDRs":["::ffff:0:0/96","0.0.0.0/0"]}})",
      "file");
  ASSERT_TRUE(rules);
  ASSERT_EQ(rules->allowed.size(), 2U);
  EXPECT_EQ(rules->allowed[0].text(), "b.test");
  EXPECT_EQ(rules->bypassed_ranges.size(), 1U);
}

TEST(RulesFile, NamesWhatIsWrongAndWhere) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"", "file: not valid JSON"},
      {"[]", "file: must be a JSON object"},
      {"{}", "file: \"policy\" is missing"},
      {R"({"network":{}})", "file: \"policy\" is missing"},
      {R"({"policy":null})", "file: \"policy\" is missing"},
      {R"({"policy":true})", "file: policy: must be a JSON object"},
      {R"({"policy":{}})", "file: policy: \"default\" is missing"},
      {R"({"policy":"Allow"})", "file: policy: the policy is allow or deny, not \"Allow\""},
      {R"({"policy":{"default":1}})", "file: policy: \"default\" must be a string"},
      {R"({"policy":{"default":"deny","logblocked":true}})", "file: policy: unknown member \"logblocked\""},
      {R"({"policy":"deny","Network":{}})", "file: unknown member \"Network\""},
      {R"({"policy":"deny","policy":"allow"})", "file: JSON has the member \"policy\" twice"},
      {R"({"policy":"deny","network":[]})", "file: network: must be a JSON object"},
      {R"({"policy":"deny","network":{"blockedHosts":[]}})", "file: network: unknown member \"blockedHosts\""},
      {R"({"policy":"deny","network":{"allowedDomains":"a"}})", "file: network: \"allowedDomains\" must be an array"},
      {R"({"policy":"deny","network":{"allowedDomains":[1]}})",
       "file: network: \"allowedDomains\" must be an array of strings"},
      {R"({"policy":"deny","network":{"blockedDomains":["a b"]}})",
       "file: network: \"blockedDomains\": bad host \"a b\": names have letters, digits, hyphens, underscores and "
       "dots"},
      {R"({"policy":"deny","network":{"rawDomains":["*:443"]}})",
       "file: network: \"rawDomains\": bad host pattern \"*:443\": write a host and a port, as in "
       "imap.example.com:993"},
      {R"({"policy":"deny","network":{"blockedCIDRs":["10.0.0.1/8"]}})",
       "file: network: \"blockedCIDRs\": bad address range \"10.0.0.1/8\": it has bits set after the first 8: write "
       "10.0.0.0/8 or 10.0.0.1/32"},
      {R"({"policy":"deny","network":{"blockedCIDRs":[],"blockCIDR":[]}})",
       "file: network: \"blockCIDR\" and \"blockedCIDRs\" are one list"},
  };
  for (const auto& [text, error] : mistakes) {
    const auto rules = read_rules(text, "file");
    ASSERT_FALSE(rules) << text;
    EXPECT_EQ(rules.error().what(), error) << text;
  }
}

TEST(RulesFile, IsBounded) {
  const auto rules = read_rules(std::string(kLargestRulesFile + 1, ' '), "file");
  ASSERT_FALSE(rules);
  EXPECT_EQ(rules.error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace sbx::policy
