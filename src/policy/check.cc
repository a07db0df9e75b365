// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/check.h"

#include "base/format.h"
#include "policy/policy.h"

namespace sbx::policy {
namespace {

std::string_view what_passes(const PolicyCheck& check) {
  if (check.passes == Passes::kRaw) return "anything, and nothing is looked at";
  const bool other = check.passes == Passes::kOther;
  if (check.decision == Decision::kTunnel)
    return other ? "HTTP, inspected; TLS and other protocols, untouched" : "HTTP, inspected; TLS, untouched";
  return other ? "HTTP and HTTPS, inspected; what is neither HTTP nor TLS, untouched" : "HTTP and HTTPS, inspected";
}

}  // namespace

void describe(Members& members, PolicyCheck& check) {
  members.required("target", check.target);
  members.required("allowed", check.allowed);
  members.required("decision", check.decision);
  members.required("rule", check.rule);
  members.required("reason", check.reason);
  members.required("passes", check.passes);
  members.required("addresses_matter", check.addresses_matter);
  members.sparse("remedy", check.remedy);
}

PolicyCheck check_of(const Target& target, const Verdict& verdict, std::string_view sandbox) {
  return {.target = target.text(),
          .allowed = verdict.allowed(),
          .decision = verdict.decision,
          .rule = verdict.rule,
          .reason = reason_text(verdict),
          .passes = verdict.passes,
          .addresses_matter = verdict.allowed() && !verdict.named && !target.host.address(),
          .remedy = remedy(target, verdict, sandbox).value_or("")};
}

Result<PolicyCheck> check(const Rules& rules, std::string_view target, std::string_view sandbox) {
  TRY_ASSIGN(const Target parsed, parse_target(target));
  return check_of(parsed, Policy(rules).at_connect(parsed), sandbox);
}

std::string text(const PolicyCheck& check) {
  std::string out = sbx::format("{} by network policy: {}\nrule: {}\nreason: {}\n",
                                check.allowed ? "Allowed" : "Blocked", check.target, check.rule, check.reason);
  if (check.remedy.empty())
    out += "no rule allows this in what is inspected\n";
  else
    out += sbx::format("to {} it, on the host: {}\n", check.allowed ? "block" : "allow", check.remedy);
  if (check.allowed) out += sbx::format("passes: {}\n", what_passes(check));
  if (check.addresses_matter) out += "addresses: what the name resolves to is checked when it is connected to\n";
  return out;
}

}  // namespace sbx::policy
