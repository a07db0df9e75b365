// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/host_rules.h"
#include "policy/ranges.h"
#include "policy/rules.h"
#include "policy/target.h"
#include "policy/verdict.h"

// The network policy of a sandbox: what a guest may reach. Pure: no I/O, no clock, no state. docs/network-policy.md
// says the same to users, and its examples are tests.
namespace sbx::policy {

// Rules, indexed and frozen. A change makes a new Policy, and the owners of connections ask it about them anew.
//
// The questions of one connection, in their order; each of them may end it:
//   at_connect   when it is known where to: the host rules and, for an address, the ranges
//   at_hello     when TLS begins, in a tunnel too: it must be for the host that was asked for
//   refused_authority (names.h)   for each request, inside TLS or not: so must the request
//   at_other     if the first bytes are neither HTTP nor TLS, or do not come: what the rule for host and port lets pass
//   at_other_inside   if those inside TLS that is inspected are not HTTP: never
//   at_address   for each address that the host resolves to; only one that passes is dialed
// Where a verdict passes anything (Passes::kRaw) at_connect and at_address are all that is asked.
// A verdict owns its text and outlives the Policy.
//   const Policy policy(rules);
//   const Verdict verdict = policy.at_connect(target);
//   if (!verdict.allowed()) show(explanation(target, verdict, "box"));
class Policy {
 public:
  explicit Policy(Rules rules);

  Verdict at_connect(const Target& target) const;
  // `server_name` as sent (names.h).
  Verdict at_hello(const Target& target, std::optional<std::string_view> server_name) const;
  Verdict at_other(const Target& target) const;
  Verdict at_other_inside(const Target& target) const;
  // `before` is the verdict so far; a refusal stays one. In a range that is not inspected it becomes a tunnel.
  Verdict at_address(const Target& target, const Verdict& before, const Address& address) const;

  const Rules& rules() const { return rules_; }
  bool logs(const Verdict& verdict) const { return verdict.allowed() ? rules_.log_allowed : rules_.log_blocked; }

 private:
  Verdict by_host(const Target& target) const;
  Passes passed_by_name(const Target& target) const;  // of a host and port that a rule names
  Verdict by_default() const;
  std::optional<Verdict> refused_address(const Address& address, std::uint16_t port) const;
  std::optional<Verdict> refused_meaning(const Address& address, std::uint16_t port) const;

  Rules rules_;
  HostRules hosts_;
  HostRules raw_;
  HostRules bypassed_;
  Ranges ranges_;
  Ranges bypassed_ranges_;
};

}  // namespace sbx::policy
