// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace sbx {

// Every place where fault_here is called, in the order in which a sandbox's life passes them. `sandboxd --fault-points`
// prints them, and a test kills the process at each.
struct FaultPoint {
  std::string_view name;
  std::string_view process;
};

std::span<const FaultPoint> fault_points();

}  // namespace sbx
