// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/flags.h"
#include "base/json.h"
#include "policy/edits.h"
#include "policy/rules.h"

// What `network proxy` reads and shows. Pure.
namespace sbx::cli {

// The edits that flags ask for, in the order in which they were given.
std::vector<policy::Edit> edits_from(const Arguments& arguments);

// All rules, under a title each.
std::string policy_text(const policy::Rules& rules);
// In one line: deny, 3 hosts allowed, 1 blocked, 8 ranges blocked
std::string policy_line(const policy::Rules& rules);
// What inspect shows of them.
Json policy_summary(const policy::Rules& rules);

}  // namespace sbx::cli
