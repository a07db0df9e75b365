// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The indexed decision against one that is slow and plainly right, over random rules: a fixed seed, so that what fails
// fails again.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "policy/words.h"

namespace sbx::policy {
namespace {

class Dice {
 public:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  template <class T, std::size_t N>
  const T& one_of(const T (&items)[N]) {
    return items[below(N)];
  }

 private:
  std::mt19937 engine_{20261115};
};

const char* const kPatterns[] = {"*",         "*.com",   "*.a.com",   "*.b.a.com", "*.test",     "a.com", "b.a.com",
                                 "c.b.a.com", "x.test",  "test",      "com",       "nas",        "*.nas", "localhost",
                                 "10.0.0.1",  "1.1.1.1", "[fd00::1]", "192.0.2.1", "*.c.b.a.com"};
const char* const kTriedHosts[] = {"a.com",
                                   "b.a.com",
                                   "c.b.a.com",
                                   "d.c.b.a.com",
                                   "x.com",
                                   "com",
                                   "test",
                                   "x.test",
                                   "nas",
                                   "y.nas",
                                   "localhost",
                                   "10.0.0.1",
                                   "1.1.1.1",
                                   "[fd00::1]",
                                   "192.0.2.1",
                                   "aa.com",
                                   "[::ffff:10.0.0.1]",
                                   "host.docker.internal"};
const char* const kPorts[] = {"", "", ":80", ":443", ":22"};
const std::uint16_t kTargetPorts[] = {80, 443, 22, 8080};
const char* const kRanges[] = {"10.0.0.0/8", "10.0.0.0/16", "10.0.0.1/32",  "1.0.0.0/8",     "0.0.0.0/0", "::/0",
                               "fd00::/8",   "fc00::/7",    "192.0.2.0/24", "100.64.0.0/10", "0.0.0.0/8"};

Rules random_rules(Dice& dice) {
  Rules rules;
  rules.otherwise = dice.below(2) == 0 ? Mark::kAllow : Mark::kBlock;
  const auto patterns = [&](std::vector<Pattern>& list) {
    for (std::size_t n = dice.below(7); n > 0; --n)
      list.push_back(*Pattern::parse(std::string(dice.one_of(kPatterns)) + dice.one_of(kPorts)));
  };
  const auto ranges = [&](std::vector<Cidr>& list) {
    for (std::size_t n = dice.below(4); n > 0; --n) list.push_back(*Cidr::parse(dice.one_of(kRanges)));
  };
  for (auto* list : {&rules.allowed, &rules.blocked, &rules.bypassed}) patterns(*list);
  for (std::size_t n = dice.below(3); n > 0; --n)
    rules.raw.push_back(Pattern::exactly(*Host::parse(dice.one_of(kTriedHosts)), dice.one_of(kTargetPorts)));
  for (auto* list : {&rules.allowed_ranges, &rules.blocked_ranges, &rules.bypassed_ranges}) ranges(*list);
  return rules;
}

// One rule and how it ranks among those that match; a block ranks before an allow.
template <class Item, class Rank>
struct Ranked {
  const Item* item = nullptr;
  bool blocks = false;
  Rank rank{};

  void offer(const Item& other, bool other_blocks, const Rank& other_rank) {
    const bool first = item == nullptr || other_rank > rank || (other_rank == rank && other_blocks && !blocks);
    if (first) *this = {&other, other_blocks, other_rank};
  }
};

std::string words(const char* decision, const std::string& rule) { return std::string(decision) + " by " + rule; }

// Null: the ranges have nothing against the address.
std::optional<std::string> range_that_blocks(const Rules& rules, const Address& address) {
  Ranked<Cidr, unsigned> best;
  for (const Cidr& range : rules.blocked_ranges)
    if (range.contains(address)) best.offer(range, true, range.length());
  for (const Cidr& range : rules.allowed_ranges)
    if (range.contains(address)) best.offer(range, false, range.length());
  for (const Cidr& range : reserved_ranges()) {
    const bool off =
        std::ranges::any_of(rules.allowed_ranges, [&](const Cidr& wider) { return wider.contains(range); });
    if (range.contains(address) && !off) best.offer(range, true, range.length());
  }
  if (best.item == nullptr || !best.blocks) return std::nullopt;
  return best.item->text();
}

bool holds(const std::vector<Cidr>& ranges, const Address& address) {
  return std::ranges::any_of(ranges, [&](const Cidr& range) { return range.contains(address); });
}

// The addresses of this test have no other address inside.
std::string slow_answer(const Rules& rules, const Target& target) {
  const auto matches = [&](const Pattern& pattern) { return pattern.matches(target.host, target.port); };
  Ranked<Pattern, decltype(std::declval<Pattern>().specificity())> best;
  for (const Pattern& pattern : rules.blocked)
    if (matches(pattern)) best.offer(pattern, true, pattern.specificity());
  for (const Pattern& pattern : rules.allowed)
    if (matches(pattern)) best.offer(pattern, false, pattern.specificity());
  for (const Pattern& pattern : rules.raw)
    if (matches(pattern)) best.offer(pattern, false, pattern.specificity());
  if (best.blocks) return words("deny", best.item->text());
  const bool names_host = best.item != nullptr && best.item->is_exact();
  if (target.host.is_local() && !(names_host && best.item->port())) return "deny by <host ports>";
  if (best.item == nullptr && rules.otherwise == Mark::kBlock) return "deny by <default policy>";
  const auto& address = target.host.address();
  if (address && !names_host)
    if (const auto range = range_that_blocks(rules, *address)) return words("deny", *range);
  const bool bypassed = std::ranges::any_of(rules.raw, matches) || std::ranges::any_of(rules.bypassed, matches) ||
                        (address && holds(rules.bypassed_ranges, *address));
  return words(bypassed ? "tunnel" : "inspect", best.item == nullptr ? "<default policy>" : best.item->text());
}

TEST(Differential, IndexedDecisionIsTheSlowOne) {
  Dice dice;
  for (int round = 0; round < 2000; ++round) {
    const Policy policy(random_rules(dice));
    for (const char* host : kTriedHosts)
      for (const std::uint16_t port : kTargetPorts) {
        const Target target{*Host::parse(host), port};
        ASSERT_EQ(words_of(policy.at_connect(target)), slow_answer(policy.rules(), target))
            << "round " << round << ": " << target.text();
      }
  }
}

}  // namespace
}  // namespace sbx::policy
