// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "policy/rules.h"
#include "policy/verdict.h"

namespace sbx::policy {

// What rules say about a target before anything is resolved or connected: `network check`.
struct PolicyCheck {
  Target target;
  Verdict verdict;

  // Whether the addresses that it resolves to will be asked about, too.
  bool addresses_matter() const { return verdict.allowed() && !verdict.named && !target.host.address(); }
};

Result<PolicyCheck> check(const Rules& rules, std::string_view target);

// The explanation; of what is allowed also what may pass, and what is decided only later.
std::string text(const PolicyCheck& check, const RuleOwner& owner);
// {"target","allowed","decision","rule","reason","passes","addresses_matter","remedy"}; no remedy where there is none.
Json encode(const PolicyCheck& check, const RuleOwner& owner);

}  // namespace sbx::policy
