// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/target.h"

namespace sbx::policy {

enum class Decision {
  kDeny,
  kTunnel,   // pass the bytes on, untouched
  kInspect,  // end TLS here, and ask at_request() for each request
};

std::string_view to_string(Decision decision);  // deny, tunnel, inspect

enum class Reason {
  kDefault,        // no rule matches
  kRule,           // a host rule
  kRange,          // the address is in a blocked range
  kHostPort,       // the host's own ports need a rule with their number
  kNamesDisagree,  // the request says another host than the connection
  kNoServerName,   // TLS for a named host, without saying which
  kNotHttp,        // neither HTTP nor TLS, and the host is not allowed by name and port
  kMalformed,      // what nobody should have to guess the meaning of
};

// The answer to one question. What nobody has decided is a refusal.
struct Verdict {
  Decision decision = Decision::kDeny;
  Reason reason = Reason::kDefault;
  std::string rule;    // its text (*.example.com, 10.0.0.0/8), or one of ours in angle brackets: <default policy>
  std::string detail;  // of a refusal, where there is more to say: what the host resolves to, which names disagree
  bool named = false;  // a rule allows this very host, not a wildcard: addresses are not held against it
  bool raw = false;    // a rule allows this very host and port: other protocols than HTTP may pass

  bool allowed() const { return decision != Decision::kDeny; }
};

// The verdict on a request or a hello that breaks the rules of its protocol, whoever it is for.
Verdict malformed(std::string detail);

// Why, in one clause.
std::string reason_text(const Verdict& verdict);

// Whose rules they are and by which program the user changes them: sandbox, or docker sandbox.
struct Owner {
  std::string_view sandbox;
  std::string_view program = "sandbox";
};

// The command that turns the verdict around: allows this host and port, or blocks them. Nothing: no rule can.
std::optional<std::string> remedy(const Target& target, const Verdict& verdict, const Owner& owner);

// The one text that everybody gets, as the body of a 403 (text/plain) and from `network check`:
//   Blocked by network policy: example.com:443
//   rule: *.com
//   reason: a rule blocks it
//   to allow it, on the host: sandbox network proxy box --allow-host example.com:443
std::string explanation(const Target& target, const Verdict& verdict, const Owner& owner);

}  // namespace sbx::policy
