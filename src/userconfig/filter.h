// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "agents/agents.h"
#include "base/json.h"

namespace sbx::userconfig {

// What is left of a settings file, and what became of its members.
struct Filtered {
  Json kept = Json::object();
  std::vector<std::string> taken;  // "model", "MCP server files"
  std::vector<std::string> left;   // "env: it is not on the list"
};

// The members that the rule lists, if no text in them may be a key, and of the MCP servers those that run in the
// sandbox and hold no key. SECURITY: a list of what is taken, not of what is left.
// `workspaces`: whose own servers are taken, too, where the file has them by project.
Filtered filter(const Json& settings, const agents::ConfigRule& rule, const std::vector<std::string>& workspaces);

// `over` on top of `under`, object by object.
Json merged(Json under, const Json& over);

}  // namespace sbx::userconfig
