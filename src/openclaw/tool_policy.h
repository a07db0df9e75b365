// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sbx::openclaw {

// A list of tools in the configuration, and where it is: names, patterns with *, and group:<name>.
struct ToolList {
  std::vector<std::string> entries;
  std::string key;  // "agents.defaults.sandbox.tools.deny"; " (default)" behind it: it was not given
};

// One place that says which tools there are. Denying wins; an empty `allow` allows all that is not denied.
struct ToolLayer {
  ToolList allow;
  ToolList deny;
  bool sandbox_only = false;  // it is about sessions in sandboxes
};

// What a place of the configuration has of these keys.
struct ToolKeys {
  std::optional<std::vector<std::string>> allow{};
  std::optional<std::vector<std::string>> also_allow{};
  std::optional<std::vector<std::string>> deny{};
};

// The layer of `tools` beneath `key`, with the defaults of sandboxes for what is not there. A tool that is allowed by
// name is not denied by default.
ToolLayer sandbox_layer(const ToolKeys& keys, const std::string& key);
// The layer of tools.allow and tools.deny, which have no defaults, and that of tools.profile.
ToolLayer general_layer(const ToolKeys& keys, const std::string& key);
ToolLayer profile_layer(std::string_view profile, const ToolKeys& keys, const std::string& key);

// Lower case, without blanks around it, and the names that mean the same are one: bash is exec.
std::string tool_name(std::string_view text);
// Whether all entries are names, patterns, or groups that there are. kInvalid names the entry and the nearest group.
Result<> check_tools(const std::vector<std::string>& entries, const std::string& key);
bool is_profile(std::string_view name);

struct ToolVerdict {
  bool allowed = false;
  std::string rule;  // "tools.sandbox.tools.deny has group:ui"
};

// Every layer has to allow it. Those that are for sandboxes only count if `sandboxed`.
ToolVerdict decide_tool(const std::vector<ToolLayer>& layers, std::string_view tool, bool sandboxed);

}  // namespace sbx::openclaw
