// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// What docs/network-policy.md says is so.
#include <gtest/gtest.h>

#include "base/file.h"
#include "policy/presets.h"
#include "policy/words.h"
#include "support/paths.h"

namespace sbx::policy {
namespace {

constexpr std::string_view kArrow = "→";

std::string document() {
  const auto text = read_file(sbx::testing::source_file("docs/network-policy.md"));
  EXPECT_TRUE(text);
  return text.value_or("");
}

// The cells of the rows of the tables with this head.
std::vector<std::vector<std::string>> rows_under(std::string_view head) {
  std::vector<std::vector<std::string>> rows;
  bool in_table = false;
  for (std::string line : split(document(), '\n')) {
    if (line == head)
      in_table = true;
    else if (!line.starts_with('|'))
      in_table = false;
    else if (in_table && !line.starts_with("|---")) {
      std::erase(line, '`');
      auto& cells = rows.emplace_back();
      for (const std::string& cell : split(line, '|')) cells.emplace_back(trimmed(cell));
    }
  }
  return rows;
}

struct Example {
  std::string rules;
  std::string target;
  std::string address;  // what it resolves to; empty: not said
  std::string words;
};

Example example_of(const std::vector<std::string>& cells) {
  const std::string& target = cells.at(2);
  const auto arrow = target.find(kArrow);
  const std::string address = arrow == std::string::npos ? "" : target.substr(arrow + kArrow.size());
  return {cells.at(1), std::string(trimmed(target.substr(0, arrow))), std::string(trimmed(address)),
          sbx::format("{} by {}", cells.at(3), cells.at(4))};
}

TEST(Document, ExamplesAreTrue) {
  const auto rows = rows_under("| rules | target | answer | by |");
  EXPECT_GT(rows.size(), 25U);
  for (const auto& row : rows) {
    const auto [rules, text, address, words] = example_of(row);
    const Policy policy(rules_after(rules));
    const Target target = target_of(text);
    Verdict verdict = policy.at_connect(target);
    if (!address.empty()) verdict = policy.at_address(target, verdict, address_of(address));
    EXPECT_EQ(words_of(verdict), words) << rules << " / " << text;
  }
}

// What becomes of HTTP, HTTPS, TLS with something else inside, and what is neither.
std::vector<std::string> fates(const Policy& policy, const Target& target) {
  const Verdict connect = policy.at_connect(target);
  if (connect.passes == Passes::kRaw) return {"untouched", "untouched", "untouched", "untouched"};
  const bool bypassed = connect.decision == Decision::kTunnel;
  return {"inspected", bypassed ? "untouched" : "inspected", bypassed ? "untouched" : "refused",
          policy.at_other(target).allowed() ? "untouched" : "refused"};
}

TEST(Document, SaysWhichProtocolsPass) {
  const auto rows = rows_under("| rules | target | HTTP | HTTPS | other TLS | neither |");
  EXPECT_GT(rows.size(), 5U);
  for (const auto& row : rows)
    EXPECT_EQ(fates(Policy(rules_after(row.at(1))), target_of(row.at(2))),
              std::vector(row.begin() + 3, row.begin() + 7))
        << row.at(1) << " / " << row.at(2);
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
  EXPECT_NE(document().find(explanation(target, verdict, "box")), std::string::npos);
}

}  // namespace
}  // namespace sbx::policy
