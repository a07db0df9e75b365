// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/policy.h"

#include <algorithm>

#include "base/format.h"
#include "policy/embedded.h"
#include "policy/names.h"

namespace sbx::policy {
namespace {

// In the place of a rule's text. The first is the vendor's.
constexpr std::string_view kDefaultPolicy = "<default policy>";
constexpr std::string_view kHostPorts = "<host ports>";
constexpr std::string_view kOnlyHttp = "<only http>";

Verdict deny(Reason reason, std::string_view rule, std::string detail = {}) {
  return {Decision::kDeny, reason, std::string(rule), std::move(detail)};
}

// Reserved ranges are on no list that an edit could take them off.
bool is_taken_off(const Cidr& range, const std::vector<Cidr>& allowed) {
  return std::ranges::any_of(allowed, [&](const Cidr& wider) { return wider.contains(range); });
}

}  // namespace

Policy::Policy(Rules rules) : rules_(std::move(rules)) {
  for (const Pattern& pattern : rules_.allowed) hosts_.add(pattern, Mark::kAllow);
  for (const Pattern& pattern : rules_.blocked) hosts_.add(pattern, Mark::kBlock);
  for (const Pattern& pattern : rules_.raw) {
    hosts_.add(pattern, Mark::kAllow);
    raw_.add(pattern, Mark::kAllow);
  }
  for (const Pattern& pattern : rules_.bypassed) bypassed_.add(pattern, Mark::kAllow);
  for (const Cidr& range : reserved_ranges())
    if (!is_taken_off(range, rules_.allowed_ranges)) ranges_.add(range, Mark::kBlock);
  for (const Cidr& range : rules_.allowed_ranges) ranges_.add(range, Mark::kAllow);
  for (const Cidr& range : rules_.blocked_ranges) ranges_.add(range, Mark::kBlock);
  for (const Cidr& range : rules_.bypassed_ranges) bypassed_ranges_.add(range, Mark::kAllow);
}

Verdict Policy::at_connect(const Target& target) const {
  Verdict verdict = by_host(target);
  if (verdict.allowed() && target.host.address()) return at_address(target, verdict, *target.host.address());
  return verdict;
}

Verdict Policy::by_host(const Target& target) const {
  const HostRule* rule = hosts_.find(target.host, target.port);
  if (rule != nullptr && rule->mark == Mark::kBlock) return deny(Reason::kRule, rule->text);
  const bool names_both = rule != nullptr && rule->names_host && rule->names_port;
  if (target.host.is_local() && !names_both) return deny(Reason::kHostPort, kHostPorts);
  Verdict verdict = by_default();
  if (rule != nullptr) verdict = {Decision::kInspect, Reason::kRule, rule->text, {}, rule->names_host};
  if (!verdict.allowed()) return verdict;
  if (names_both) verdict.passes = passed_by_name(target);
  if (verdict.passes == Passes::kRaw || bypassed_.find(target.host, target.port) != nullptr)
    verdict.decision = Decision::kTunnel;
  return verdict;
}

// SECURITY: a rule that names a port is about what is spoken there, and that is not looked at if it is neither HTTP nor
// TLS. Not so on the ports of HTTP: a web server serves many hosts, and only what is inspected stays with one of them.
Passes Policy::passed_by_name(const Target& target) const {
  if (raw_.find(target.host, target.port) != nullptr) return Passes::kRaw;
  return is_http_port(target.port) ? Passes::kHttp : Passes::kOther;
}

Verdict Policy::by_default() const {
  if (rules_.otherwise == Mark::kAllow) return {Decision::kInspect, Reason::kDefault, std::string(kDefaultPolicy), {}};
  return deny(Reason::kDefault, kDefaultPolicy);
}

Verdict Policy::at_address(const Target& target, const Verdict& before, const Address& address) const {
  if (!before.allowed()) return before;
  // SECURITY: a user who allows a host by its own name trusts what that name resolves to, in any range: so a NAS can be
  // allowed. Wildcards do not get this, since others may own what is below them.
  if (!before.named)
    if (auto refused = refused_address(address, target.port)) return *refused;
  Verdict verdict = before;
  if (bypassed_ranges_.narrowest(address) != nullptr) verdict.decision = Decision::kTunnel;
  return verdict;
}

std::optional<Verdict> Policy::refused_address(const Address& address, std::uint16_t port) const {
  if (auto refused = refused_meaning(address, port)) {
    refused->detail = address.text();
    return refused;
  }
  for (const Address& inside : embedded_ipv4(address))
    if (auto refused = refused_meaning(inside, port)) {
      refused->detail = sbx::format("{} in {}", inside.text(), address.text());
      return refused;
    }
  return std::nullopt;
}

std::optional<Verdict> Policy::refused_meaning(const Address& address, std::uint16_t port) const {
  const HostRule* rule = hosts_.find(address, port);
  if (rule != nullptr && rule->mark == Mark::kBlock) return deny(Reason::kRule, rule->text);
  const Ranges::Marked* entry = ranges_.narrowest(address);
  if (entry != nullptr && entry->mark == Mark::kBlock) return deny(Reason::kRange, entry->range.text());
  return std::nullopt;
}

Verdict Policy::at_hello(const Target& target, std::optional<std::string_view> server_name) const {
  auto refused = refused_server_name(target, server_name);
  return refused ? *std::move(refused) : at_connect(target);
}

Verdict Policy::at_other(const Target& target) const {
  Verdict verdict = at_connect(target);
  if (!verdict.allowed()) return verdict;
  if (verdict.passes == Passes::kHttp) return deny(Reason::kNotHttp, kOnlyHttp);
  verdict.decision = Decision::kTunnel;
  return verdict;
}

Verdict Policy::at_other_inside(const Target& target) const {
  const Verdict verdict = at_connect(target);
  return verdict.allowed() ? deny(Reason::kTlsNotHttp, kOnlyHttp) : verdict;
}

}  // namespace sbx::policy
