// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/sums.h"

namespace sbx::netlog {
namespace {

// Longer ones are no names and no rules, but a shim's that was taken over.
constexpr std::size_t kLongestHost = 255;
constexpr std::size_t kLongestRule = 300;
constexpr std::size_t kLongestReason = 1200;
constexpr std::int64_t kMostRulesWithOthers = 100;

SummaryKey key_of(const Record& record) { return {record.allowed, record.rule, record.host, record.port, record.path}; }

Sum sum_of(const Record& record, std::int64_t count) {
  return {record.time_us, record.time_us, count, record.reason.substr(0, kLongestReason)};
}

bool may_have_a_row(const SummaryKey& key) {
  return !key.host.empty() && key.host.size() <= kLongestHost && key.rule.size() <= kLongestRule;
}

}  // namespace

void Sums::decided(const Record& record) { sums_[key_of(record)].add(sum_of(record, 1)); }

void Sums::ended(const Record& record) { sums_[key_of(record)].add(sum_of(record, 0)); }

Result<> Sums::write(SummaryTable& table) {
  for (const auto& [key, sum] : sums_) TRY(write_host(table, key, sum));
  for (const auto& [rule, sum] : others_) TRY(write_others(table, rule, sum));
  return Ok{};
}

Result<> Sums::write_host(SummaryTable& table, const SummaryKey& key, const Sum& sum) {
  if (may_have_a_row(key)) {
    TRY_ASSIGN(const bool added, table.add(key, sum));
    if (added || sum.count == 0) return Ok{};
    TRY_ASSIGN(const bool room, make_room(table, key, sum));
    if (room) return table.insert(key, sum);
  }
  if (sum.count > 0) others_[{key.allowed, std::string(key.rule)}].add(sum);
  return Ok{};
}

Result<bool> Sums::make_room(SummaryTable& table, const SummaryKey& key, const Sum& sum) {
  const Rule rule(key.allowed, key.rule);
  if (!hosts_.contains(key.allowed)) {
    TRY_ASSIGN(hosts_[key.allowed], table.hosts(key.allowed));
  }
  if (!hosts_of_rule_.contains(rule)) {
    TRY_ASSIGN(hosts_of_rule_[rule], table.hosts(key.allowed, key.rule));
  }
  std::int64_t& all = hosts_[key.allowed];
  std::int64_t& of_rule = hosts_of_rule_[rule];
  if (of_rule < limits_.hosts - all) {
    ++all;
    ++of_rule;
    return true;
  }
  if (sum.last_us < stale_us_) return false;
  return replace_stale(table, rule);
}

Result<bool> Sums::replace_stale(SummaryTable& table, const Rule& rule) {
  if (fresh_.contains(rule)) return false;
  TRY_ASSIGN(const auto stale, table.take_oldest(rule.first, rule.second, stale_us_));
  if (stale)
    others_[rule].add(*stale);
  else
    fresh_.insert(rule);
  return stale.has_value();
}

Result<> Sums::write_others(SummaryTable& table, const Rule& rule, const Sum& sum) {
  SummaryKey key{rule.first, rule.second, {}};
  if (key.rule.size() <= kLongestRule) {
    TRY_ASSIGN(const bool added, table.add(key, sum));
    if (added) return Ok{};
    if (!rules_with_others_.contains(rule.first)) {
      TRY_ASSIGN(rules_with_others_[rule.first], table.rules_with_others(rule.first));
    }
    if (rules_with_others_[rule.first]++ < kMostRulesWithOthers) return table.insert(key, sum);
  }
  key.rule = {};
  TRY_ASSIGN(const bool added, table.add(key, sum));
  return added ? Result<>() : table.insert(key, sum);
}

}  // namespace sbx::netlog
