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

// A connection that turns out to be neither HTTP nor TLS is refused later, so that must be said now.
std::string raw_remedy_of(const Target& target, const Verdict& verdict, std::string_view sandbox) {
  if (!verdict.allowed() || verdict.passes != Passes::kHttp || is_http_port(target.port)) return {};
  const Verdict not_http{Decision::kDeny, Reason::kNotHttp, verdict.rule, ""};
  return remedy(target, not_http, sandbox).value_or("");
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
  members.sparse("raw_remedy", check.raw_remedy);
  members.sparse("credential", check.credential);
}

PolicyCheck check_of(const Target& target, const Verdict& verdict, std::string_view sandbox) {
  return {.target = target.text(),
          .allowed = verdict.allowed(),
          .decision = verdict.decision,
          .rule = verdict.rule,
          .reason = reason_text(verdict),
          .passes = verdict.passes,
          .addresses_matter = verdict.allowed() && !verdict.named && !target.host.address(),
          .remedy = remedy(target, verdict, sandbox).value_or(""),
          .raw_remedy = raw_remedy_of(target, verdict, sandbox)};
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
  if (!check.raw_remedy.empty())
    out += sbx::format("ssh and all else that is neither HTTP nor TLS: blocked; to allow it, on the host: {}\n",
                       check.raw_remedy);
  if (!check.credential.empty()) out += sbx::format("credential: {}\n", check.credential);
  if (check.addresses_matter) out += "addresses: what the name resolves to is checked when it is connected to\n";
  return out;
}

}  // namespace sbx::policy
