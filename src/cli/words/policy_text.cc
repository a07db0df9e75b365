// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/policy_text.h"

#include <algorithm>

#include "base/format.h"
#include "base/text.h"

namespace sbx::cli {
namespace {

std::string_view word_for(policy::Mark mark) { return mark == policy::Mark::kAllow ? "allow" : "deny"; }

template <class T>
std::string list_under(std::string_view title, const std::vector<T>& items) {
  if (items.empty()) return sbx::format("{}: none\n", title);
  std::string out = sbx::format("{}:\n", title);
  for (const T& item : items) out += sbx::format("  {}\n", item.text());
  return out;
}

std::string logged(const policy::Rules& rules) {
  std::vector<std::string> kinds;
  if (rules.log_blocked) kinds.emplace_back("blocked");
  if (rules.log_allowed) kinds.emplace_back("allowed");
  return kinds.empty() ? "nothing" : join(kinds, ", ");
}

bool is_edit(std::string_view flag) {
  return std::ranges::find(policy::edit_kinds(), flag, &policy::EditKind::name) != policy::edit_kinds().end();
}

}  // namespace

std::vector<policy::Edit> edits_from(const Arguments& arguments) {
  std::vector<policy::Edit> edits;
  for (const auto& [flag, value] : arguments.in_order()) {
    if (!is_edit(flag)) continue;
    const bool is_switch = std::ranges::find(policy::edit_kinds(), flag, &policy::EditKind::name)->value.empty();
    if (is_switch && value == "false") continue;
    edits.push_back({std::string(flag), is_switch ? "" : value});
  }
  return edits;
}

std::string policy_text(const policy::Rules& rules) {
  std::string out = sbx::format("Policy: {} (for hosts that no rule matches)\n", word_for(rules.otherwise));
  out += sbx::format("Logged: {}\n", logged(rules));
  out += list_under("Allowed hosts", rules.allowed);
  if (!rules.raw.empty()) out += list_under("Allowed for any protocol", rules.raw);
  out += list_under("Blocked hosts", rules.blocked);
  out += list_under("Hosts not inspected", rules.bypassed);
  out += list_under("Blocked ranges", rules.blocked_ranges);
  if (!rules.allowed_ranges.empty()) out += list_under("Allowed ranges", rules.allowed_ranges);
  out += list_under("Ranges not inspected", rules.bypassed_ranges);
  return out;
}

std::string policy_line(const policy::Rules& rules) {
  const std::string raw = rules.raw.empty() ? "" : sbx::format(", {} for any protocol", rules.raw.size());
  return sbx::format("{}, hosts: {} allowed{}, {} blocked; ranges: {} allowed, {} blocked", word_for(rules.otherwise),
                     rules.allowed.size(), raw, rules.blocked.size(), rules.allowed_ranges.size(),
                     rules.blocked_ranges.size());
}

Json policy_summary(const policy::Rules& rules) {
  return {{"policy", word_for(rules.otherwise)},
          {"allowed_hosts", rules.allowed.size()},
          {"raw_hosts", rules.raw.size()},
          {"blocked_hosts", rules.blocked.size()},
          {"bypassed_hosts", rules.bypassed.size()},
          {"allowed_ranges", rules.allowed_ranges.size()},
          {"blocked_ranges", rules.blocked_ranges.size()},
          {"bypassed_ranges", rules.bypassed_ranges.size()}};
}

}  // namespace sbx::cli
