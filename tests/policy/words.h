// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "base/text.h"
#include "policy/edits.h"
#include "policy/policy.h"

// Rules, targets and verdicts in the words of the command line, so that tests are tables.
namespace sbx::policy {

// "--policy deny --allow-host example.com --reset" as edits.
inline std::vector<Edit> edits_of(std::string_view flags) {
  std::vector<Edit> edits;
  for (const std::string& word : split(flags, ' ')) {
    if (word.starts_with("--"))
      edits.push_back({word.substr(2), ""});
    else if (!word.empty())
      edits.back().value = word;
  }
  return edits;
}

// The default rules after those edits.
inline Rules rules_after(std::string_view flags) {
  auto rules = edited(default_rules(), edits_of(flags));
  EXPECT_TRUE(rules) << flags << ": " << rules.error().what();
  return rules ? *rules : Rules{};
}

inline Target target_of(std::string_view text) {
  const auto target = parse_target(text);
  EXPECT_TRUE(target) << text << ": " << target.error().what();
  return target ? *target : Target{*Host::parse("bad.invalid"), 1};
}

inline Address address_of(std::string_view text) {
  const auto address = Address::parse(text);
  EXPECT_TRUE(address) << text;
  return address ? *address : Address::v4({});
}

// "inspect by *.example.com", "deny by 10.0.0.0/8".
inline std::string words_of(const Verdict& verdict) {
  return sbx::format("{} by {}", word_of(verdict.decision), verdict.rule);
}

}  // namespace sbx::policy
