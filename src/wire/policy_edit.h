// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/members.h"

namespace sbx::wire {

// One change to the rules of a network policy, by the name of its flag: {"allow-host", "example.com"}, {"reset", ""}.
// What the names mean is in policy/edits.h.
struct PolicyEdit {
  std::string name;
  std::string value;
};

// A request for some, in their order.
struct PolicyEdits {
  std::vector<PolicyEdit> edits;  // at least one
};

void describe(Members& members, PolicyEdit& edit);
void describe(Members& members, PolicyEdits& edits);

}  // namespace sbx::wire
