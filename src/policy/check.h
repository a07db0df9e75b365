// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/members.h"
#include "base/result.h"
#include "policy/rules.h"
#include "policy/verdict.h"

namespace sbx::policy {

// A verdict in words, for people and programs: what `network check` prints and what the guest reads in a 403.
struct PolicyCheck {
  std::string target;  // example.com:443
  bool allowed = false;
  Decision decision = Decision::kDeny;
  std::string rule;
  std::string reason;
  Passes passes = Passes::kHttp;
  bool addresses_matter = false;  // the addresses that it resolves to will be asked about, too
  std::string remedy;             // the command that turns it around; empty: there is none
  // Of a port that is not the web's and that only HTTP and TLS may use: the command that lets others (ssh) pass.
  std::string raw_remedy = {};
  // Which credential a request gets on its way, if any, and where it is from; of who asked knows.
  std::string credential = {};
};
void describe(Members& members, PolicyCheck& check);

PolicyCheck check_of(const Target& target, const Verdict& verdict, std::string_view sandbox);
// What rules say about a target before anything is resolved or connected.
Result<PolicyCheck> check(const Rules& rules, std::string_view target, std::string_view sandbox);

// The explanation (verdict.h); of what is allowed also what may pass, and what is decided only later.
std::string text(const PolicyCheck& check);

}  // namespace sbx::policy
