// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/choice.h"
#include "policy/target.h"

namespace sbx::policy {

enum class Decision {
  kDeny,
  kTunnel,   // pass the bytes on, untouched
  kInspect,  // end TLS here, and look at each request
};

constexpr auto choices(Decision) {
  return std::to_array<Choice<Decision>>(
      {{Decision::kDeny, "deny"}, {Decision::kTunnel, "tunnel"}, {Decision::kInspect, "inspect"}});
}

// What may be said to an allowed host; each is more than the one before.
enum class Passes {
  kHttp,   // HTTP, in TLS or in the clear
  kOther,  // and what is neither HTTP nor TLS, such as SSH
  kRaw,    // whatever it is: nothing is looked at
};

constexpr auto choices(Passes) {
  return std::to_array<Choice<Passes>>({{Passes::kHttp, "http"}, {Passes::kOther, "other"}, {Passes::kRaw, "raw"}});
}

enum class Reason {
  kDefault,        // no rule matches
  kRule,           // a host rule
  kRange,          // the address is in a blocked range
  kHostPort,       // the host's own ports need a rule with their number
  kNamesDisagree,  // the request says another host than the connection
  kNoServerName,   // TLS for a named host, without saying which
  kNotHttp,        // neither HTTP nor TLS, and no rule lets that pass
  kTlsNotHttp,     // something other than HTTP inside TLS that is inspected
  kCredential,     // a credential that is not to be had, or a placeholder where it is not bound to be sent
  kMalformed,      // ambiguous, or against the protocol
};

// The answer to one question. Without a decision it is a refusal.
struct Verdict {
  Decision decision = Decision::kDeny;
  Reason reason = Reason::kDefault;
  std::string rule;    // its text (*.example.com, 10.0.0.0/8), or one of ours in angle brackets: <default policy>
  std::string detail;  // of a refusal, where there is more to say: what the host resolves to, which names disagree
  bool named = false;  // a rule allows this very host, not a wildcard: addresses are not held against it
  Passes passes = Passes::kHttp;  // if it is allowed

  bool allowed() const { return decision != Decision::kDeny; }
};

// The verdict on a request or a hello that breaks the rules of its protocol, whatever its target.
Verdict malformed(std::string detail);

// Why, in one clause.
std::string reason_text(const Verdict& verdict);

// The command that turns the verdict around: allows this host and port, or blocks them. It names no port where HTTP is
// at home, unless it is needed there, too. Nothing: no rule can, as long as the connection is inspected.
std::optional<std::string> remedy(const Target& target, const Verdict& verdict, std::string_view sandbox);

// The one text that everybody gets, as the body of a 403 (text/plain) and from `network check`:
//   Blocked by network policy: example.com:443
//   rule: *.com
//   reason: a rule blocks it
//   to allow it, on the host: sandbox network proxy box --allow-host example.com
std::string explanation(const Target& target, const Verdict& verdict, std::string_view sandbox);

}  // namespace sbx::policy
