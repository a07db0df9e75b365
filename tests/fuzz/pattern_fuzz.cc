// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "policy/embedded.h"
#include "policy/names.h"
#include "policy/policy.h"

using namespace sbx;
using namespace sbx::policy;

namespace {

void require(bool claim) {
  if (!claim) std::abort();
}

bool harmless(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' || c == '[' || c == ']' ||
         c == ':';
}

// What is accepted has one form, which is accepted too and is the same; and a name is nothing that resolves by itself.
void check_host(std::string_view text) {
  const auto host = Host::parse(text);
  if (!host) return;
  for (const char c : host->text()) require(harmless(c));
  require(Host::parse(host->text()) && *Host::parse(host->text()) == *host);
  require(host->address().has_value() || !looks_numeric(host->text()));
}

void check_range(std::string_view text) {
  const auto range = Cidr::parse(text);
  if (range) require(Cidr::parse(range->text()) && *Cidr::parse(range->text()) == *range);
}

// A pattern that is the only rule decides exactly about what it matches.
void check_pattern(std::string_view text, const Target& target) {
  const auto pattern = Pattern::parse(text);
  if (!pattern) return;
  require(Pattern::parse(pattern->text()) && *Pattern::parse(pattern->text()) == *pattern);
  Rules rules = default_rules();
  rules.blocked = {*pattern};
  const bool blocked = policy::Policy(rules).at_connect(target).reason == Reason::kRule;
  const bool hides_another = target.host.address() && !embedded_ipv4(*target.host.address()).empty();
  require(blocked == pattern->matches(target.host, target.port) || (blocked && hides_another));
  rules.blocked.clear();
  rules.otherwise = Mark::kBlock;
  rules.allowed = {*pattern};
  if (policy::Policy(rules).at_connect(target).allowed()) require(pattern->matches(target.host, target.port));
}

}  // namespace

// The words of a rule, and of a target behind a line end.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view first = bytes.substr(0, bytes.find('\n'));
  const std::string_view second = first.size() < size ? bytes.substr(first.size() + 1) : first;
  check_host(first);
  check_range(first);
  if (const auto target = parse_target(second)) {
    check_pattern(first, *target);
    check_pattern(target->text(), *target);
    (void)policy::refused_authority(*target, true, first);
    (void)policy::refused_server_name(*target, second);
  }
  return 0;
}
