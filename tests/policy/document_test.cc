// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// What docs/network-policy.md says is so.
#include <gtest/gtest.h>

#include "base/file.h"
#include "policy/presets.h"
#include "policy/words.h"

namespace sbx::policy {
namespace {

constexpr std::string_view kArrow = "→";

std::string document() {
  const auto text = read_file(std::string(SANDBOXD_SOURCE_DIR) + "/docs/network-policy.md");
  EXPECT_TRUE(text);
  return text.value_or("");
}

struct Example {
  std::string rules;
  std::string target;
  std::string address;  // what it resolves to; empty: not said
  std::string words;
};

// A row of a table whose head is: rules, target, answer, by.
Example example_of(std::string row) {
  std::erase(row, '`');
  const auto cells = split(row, '|');
  const std::string& target = cells.at(2);
  const auto arrow = target.find(kArrow);
  const std::string address = arrow == std::string::npos ? "" : target.substr(arrow + kArrow.size());
  return {std::string(trimmed(cells.at(1))), std::string(trimmed(target.substr(0, arrow))),
          std::string(trimmed(address)), sbx::format("{} by {}", trimmed(cells.at(3)), trimmed(cells.at(4)))};
}

std::vector<Example> examples() {
  std::vector<Example> found;
  bool in_table = false;
  for (const std::string& line : split(document(), '\n')) {
    if (line == "| rules | target | answer | by |")
      in_table = true;
    else if (!line.starts_with('|'))
      in_table = false;
    else if (in_table && !line.starts_with("|---"))
      found.push_back(example_of(line));
  }
  return found;
}

TEST(Document, ExamplesAreTrue) {
  const auto all = examples();
  EXPECT_GT(all.size(), 25U);
  for (const auto& [rules, text, address, words] : all) {
    const Policy policy(rules_after(rules));
    const Target target = target_of(text);
    Verdict verdict = policy.at_connect(target);
    if (!address.empty()) verdict = policy.at_address(target, verdict, address_of(address));
    EXPECT_EQ(words_of(verdict), words) << rules << " / " << text;
  }
}

TEST(Document, NamesEveryRangeAndPresetHost) {
  const std::string text = document();
  const auto named = [&](std::string_view word) { return text.find(sbx::format("`{}`", word)) != std::string::npos; };
  for (const Cidr& range : default_rules().blocked_ranges) EXPECT_TRUE(named(range.text())) << range.text();
  for (const Cidr& range : reserved_ranges()) EXPECT_TRUE(named(range.text())) << range.text();
  for (const Preset& preset : presets())
    for (const std::string_view host : preset.hosts) EXPECT_TRUE(named(host)) << host;
}

TEST(Document, ShowsTheRefusalAsItIs) {
  const Target target = target_of("example.com:443");
  const Verdict verdict = Policy(rules_after("--policy deny")).at_connect(target);
  EXPECT_NE(document().find(explanation(target, verdict, {.sandbox = "box"})), std::string::npos);
}

}  // namespace
}  // namespace sbx::policy
