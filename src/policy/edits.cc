// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/edits.h"

#include <algorithm>

#include "base/format.h"
#include "base/text.h"
#include "policy/presets.h"

namespace sbx::policy {
namespace {

template <class T>
void add(std::vector<T>& list, const T& item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

void erase_within(std::vector<Cidr>& list, const Cidr& range) {
  std::erase_if(list, [&](const Cidr& item) { return range.contains(item); });
}

bool overlaps(const std::vector<Cidr>& list, const Cidr& range) {
  return std::ranges::any_of(list, [&](const Cidr& item) { return item.contains(range) || range.contains(item); });
}

Result<> set_policy(Rules& rules, std::string_view value) {
  if (value != "allow" && value != "deny")
    return fail(Code::kInvalid, sbx::format("the policy is allow or deny, not \"{}\"", printable(value)));
  rules.otherwise = value == "allow" ? Mark::kAllow : Mark::kBlock;
  return Ok{};
}

// A pattern is in one of the three lists that say what is reached: the latest word about it.
void put(Rules& rules, std::vector<Pattern> Rules::*where, const Pattern& pattern) {
  for (const auto list : {&Rules::allowed, &Rules::raw, &Rules::blocked})
    if (list != where) std::erase(rules.*list, pattern);
  add(rules.*where, pattern);
}

Result<> allow_host(Rules& rules, std::string_view value) {
  TRY_ASSIGN(const auto pattern, Pattern::parse(value));
  put(rules, &Rules::allowed, pattern);
  return Ok{};
}

Result<> allow_raw(Rules& rules, std::string_view value) {
  TRY_ASSIGN(const auto pattern, Pattern::parse_endpoint(value));
  put(rules, &Rules::raw, pattern);
  return Ok{};
}

Result<> block_host(Rules& rules, std::string_view value) {
  TRY_ASSIGN(const auto pattern, Pattern::parse(value));
  put(rules, &Rules::blocked, pattern);
  return Ok{};
}

Result<> bypass_host(Rules& rules, std::string_view value) {
  TRY_ASSIGN(const auto pattern, Pattern::parse(value));
  add(rules.bypassed, pattern);
  return Ok{};
}

Result<> remove_host(Rules& rules, std::string_view value) {
  TRY_ASSIGN(const auto pattern, Pattern::parse(value));
  std::size_t erased = 0;
  for (const auto list : {&Rules::allowed, &Rules::raw, &Rules::blocked, &Rules::bypassed})
    erased += std::erase(rules.*list, pattern);
  if (erased == 0) return fail(Code::kNotFound, sbx::format("no rule for {}", pattern.text()));
  return Ok{};
}

// Ranges within it leave the list of blocked ones; it is remembered only where a wider or a reserved one would still
// block it. As the vendor's, it also takes the range off those that are not inspected.
Result<> allow_range(Rules& rules, std::string_view value) {
  TRY_ASSIGN(const auto range, Cidr::parse(value));
  erase_within(rules.blocked_ranges, range);
  erase_within(rules.allowed_ranges, range);
  std::erase(rules.bypassed_ranges, range);
  if (overlaps(rules.blocked_ranges, range) || overlaps(reserved_ranges(), range)) add(rules.allowed_ranges, range);
  return Ok{};
}

Result<> block_range(Rules& rules, std::string_view value) {
  TRY_ASSIGN(const auto range, Cidr::parse(value));
  erase_within(rules.allowed_ranges, range);
  add(rules.blocked_ranges, range);
  return Ok{};
}

Result<> bypass_range(Rules& rules, std::string_view value) {
  TRY_ASSIGN(const auto range, Cidr::parse(value));
  add(rules.bypassed_ranges, range);
  return Ok{};
}

Result<> reset(Rules& rules, std::string_view) {
  rules = default_rules();
  return Ok{};
}

Result<> use_preset(Rules& rules, std::string_view value) {
  TRY_ASSIGN(const auto preset, find_preset(value));
  rules.otherwise = Mark::kBlock;
  for (const std::string_view host : preset->hosts) TRY(allow_host(rules, host));
  return Ok{};
}

constexpr EditKind kKinds[] = {
    {"policy", "allow|deny", "What happens to hosts that no rule matches", set_policy},
    {"allow-host", "PATTERN", "Allow a host, host:port, *.domain or *", allow_host},
    {"allow-raw", "HOST:PORT", "Allow any protocol to a host and port; nothing is inspected", allow_raw},
    {"block-host", "PATTERN", "Block a host, host:port, *.domain or *", block_host},
    {"bypass-host", "PATTERN", "Do not inspect a host; it still has to be allowed", bypass_host},
    {"allow-cidr", "RANGE", "Take a range off the blocked and the bypassed ones", allow_range},
    {"block-cidr", "RANGE", "Block a range of addresses", block_range},
    {"bypass-cidr", "RANGE", "Do not inspect a range; its hosts still have to be allowed", bypass_range},
    {"remove-host", "PATTERN", "Forget the rules for a pattern", remove_host},
    {"preset", "agent", "Deny all but the sandbox's agent's own hosts, package registries and code", use_preset},
    {"reset", "", "Go back to the default rules", reset},
};

}  // namespace

std::span<const EditKind> edit_kinds() { return kKinds; }

Result<Rules> edited(Rules rules, const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) {
    const auto kind = std::ranges::find(kKinds, edit.name, &EditKind::name);
    if (kind == std::end(kKinds)) return fail(Code::kInvalid, sbx::format("no edit \"{}\"", printable(edit.name)));
    TRY_WITHIN(sbx::format("--{}", edit.name), kind->apply(rules, edit.value));
  }
  return rules;
}

}  // namespace sbx::policy
