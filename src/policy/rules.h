// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "policy/cidr.h"
#include "policy/mark.h"
#include "policy/pattern.h"

namespace sbx::policy {

// The rules of one sandbox as its user wrote them, in that order. What they mean together is Policy's to say.
struct Rules {
  Mark otherwise = Mark::kBlock;  // for hosts that no rule matches
  bool log_blocked = true;
  bool log_allowed = true;
  std::vector<Pattern> allowed;
  std::vector<Pattern> blocked;
  std::vector<Pattern> raw;       // hosts with a port: allowed, and nothing that is said there is looked at
  std::vector<Pattern> bypassed;  // not inspected; allows nothing
  std::vector<Cidr> blocked_ranges;
  std::vector<Cidr> allowed_ranges;  // parts of blocked ranges that are not blocked
  std::vector<Cidr> bypassed_ranges;

  bool operator==(const Rules&) const = default;
};

// What a new sandbox gets: everything is allowed but the private, loopback and link-local ranges.
Rules default_rules();

// Blocked whatever the rules say, unless an allowed range or name takes them off: this host by another name, carriers'
// and clouds' insides with their metadata services, and what no public server has.
const std::vector<Cidr>& reserved_ranges();

}  // namespace sbx::policy
