// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/rules.h"
#include "wire/policy_edit.h"

namespace sbx::policy {

using Edit = wire::PolicyEdit;

// A flag of `network proxy` that edits the rules.
struct EditKind {
  std::string_view name;
  std::string_view value;  // what it takes, for its help; empty: nothing
  std::string_view help;
  Result<> (*apply)(Rules& rules, std::string_view value);
};

std::span<const EditKind> edit_kinds();

// The rules after all the edits, in their order, or the first error. A later edit wins: what it allows or blocks is
// taken off the list that says the contrary.
Result<Rules> edited(Rules rules, const std::vector<Edit>& edits);

}  // namespace sbx::policy
