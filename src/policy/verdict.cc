// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/verdict.h"

#include "base/format.h"
#include "policy/check.h"
#include "policy/pattern.h"

namespace sbx::policy {
namespace {

std::string_view why_allowed(Reason reason) {
  return reason == Reason::kRule ? "a rule allows it" : "no rule blocks it, and the policy is allow";
}

std::string_view why_denied(Reason reason) {
  switch (reason) {
    case Reason::kDefault:
      return "no rule allows it, and the policy is deny";
    case Reason::kRule:
      return "a rule blocks it";
    case Reason::kRange:
      return "its address is in a blocked range";
    case Reason::kHostPort:
      return "a port of the host itself needs a rule with its number";
    case Reason::kNamesDisagree:
      return "the request names another host than the connection";
    case Reason::kNoServerName:
      return "TLS to a named host must say the name (SNI)";
    case Reason::kNotHttp:
      return "it is neither HTTP nor TLS, which needs a rule with its host and port, on 80 and 443 --allow-raw";
    case Reason::kTlsNotHttp:
      return "it is TLS and not HTTP, which passes only where it is not inspected: --bypass-host or --allow-raw";
    case Reason::kCredential:
      return "a credential is not to be had here";
    case Reason::kMalformed:
      return "it breaks the rules of its protocol";
  }
  return "nothing allows it";
}

bool depends_on_rules(Reason reason) {
  return reason != Reason::kNamesDisagree && reason != Reason::kNoServerName && reason != Reason::kCredential &&
         reason != Reason::kMalformed;
}

bool is_about_protocol(Reason reason) { return reason == Reason::kNotHttp || reason == Reason::kTlsNotHttp; }

// The narrowest edit that helps.
std::string_view edit_against(const Target& target, const Verdict& verdict) {
  if (verdict.allowed()) return "block-host";
  if (verdict.reason == Reason::kTlsNotHttp) return "bypass-host";
  return verdict.reason == Reason::kNotHttp && is_http_port(target.port) ? "allow-raw" : "allow-host";
}

// A rule with a port counts before one without.
Pattern pattern_for(const Target& target, const Verdict& verdict) {
  Pattern endpoint = Pattern::exactly(target.host, target.port);
  const bool host_is_enough = is_http_port(target.port) && !target.host.is_local() &&
                              !is_about_protocol(verdict.reason) && verdict.rule != endpoint.text();
  return host_is_enough ? Pattern::exactly(target.host, std::nullopt) : endpoint;
}

// Brackets would be a glob to the user's shell.
std::string quoted(const std::string& text) { return text.find('[') == std::string::npos ? text : "'" + text + "'"; }

}  // namespace

Verdict malformed(std::string detail) {
  return {Decision::kDeny, Reason::kMalformed, "<well-formed>", std::move(detail)};
}

std::string reason_text(const Verdict& verdict) {
  std::string text(verdict.allowed() ? why_allowed(verdict.reason) : why_denied(verdict.reason));
  if (!verdict.detail.empty()) text += ": " + verdict.detail;
  return text;
}

std::optional<std::string> remedy(const Target& target, const Verdict& verdict, std::string_view sandbox) {
  if (!depends_on_rules(verdict.reason)) return std::nullopt;
  return sbx::format("sandbox network proxy {} --{} {}", sandbox, edit_against(target, verdict),
                     quoted(pattern_for(target, verdict).text()));
}

std::string explanation(const Target& target, const Verdict& verdict, std::string_view sandbox) {
  return text(check_of(target, verdict, sandbox));
}

}  // namespace sbx::policy
