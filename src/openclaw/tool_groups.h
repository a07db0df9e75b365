// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace sbx::openclaw {

// What OpenClaw calls its tools together, by the names that decisions use (exec, not bash).
struct ToolGroup {
  std::string_view name;   // "group:fs"
  std::string_view tools;  // separated by blanks
};

std::span<const ToolGroup> tool_groups();
// tools.profile: what each allows; empty: everything.
std::span<const ToolGroup> tool_profiles();

// What sandboxes allow and deny if the configuration does not say.
std::span<const std::string_view> usual_allow();
std::span<const std::string_view> usual_deny();

}  // namespace sbx::openclaw
