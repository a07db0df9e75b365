// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/check.h"

#include "base/format.h"
#include "policy/policy.h"

namespace sbx::policy {
namespace {

std::string_view what_passes(const Verdict& verdict) {
  if (verdict.passes == Passes::kRaw) return "anything, and nothing is looked at";
  const bool other = verdict.passes == Passes::kOther;
  if (verdict.decision == Decision::kTunnel)
    return other ? "HTTP, inspected; TLS and other protocols, untouched" : "HTTP, inspected; TLS, untouched";
  return other ? "HTTP and HTTPS, inspected; what is neither HTTP nor TLS, untouched" : "HTTP and HTTPS, inspected";
}

}  // namespace

Result<PolicyCheck> check(const Rules& rules, std::string_view target) {
  TRY_ASSIGN(Target parsed, parse_target(target));
  Verdict verdict = Policy(rules).at_connect(parsed);
  return PolicyCheck{std::move(parsed), std::move(verdict)};
}

std::string text(const PolicyCheck& check, const RuleOwner& owner) {
  std::string out = explanation(check.target, check.verdict, owner);
  if (!check.verdict.allowed()) return out;
  out += sbx::format("passes: {}\n", what_passes(check.verdict));
  if (check.addresses_matter()) out += "addresses: what the name resolves to is checked when it is connected to\n";
  return out;
}

Json encode(const PolicyCheck& check, const RuleOwner& owner) {
  Json json = {{"target", check.target.text()},
               {"allowed", check.verdict.allowed()},
               {"decision", to_string(check.verdict.decision)},
               {"rule", check.verdict.rule},
               {"reason", reason_text(check.verdict)},
               {"passes", to_string(check.verdict.passes)},
               {"addresses_matter", check.addresses_matter()}};
  if (const auto command = remedy(check.target, check.verdict, owner)) json["remedy"] = *command;
  return json;
}

}  // namespace sbx::policy
