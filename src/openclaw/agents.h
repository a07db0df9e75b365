// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "base/result.h"

// Where the configuration speaks of agents: agents.defaults for all, agents.entries.<id> or agents.list[] for one.
namespace sbx::openclaw {

// The object beneath a key; null: there is none. What is there and is no object is an error.
Result<const Json*> object_in(const Json* parent, const std::string& path, const char* key);

Result<const Json*> agent_defaults(const Json& document);
// Null: the configuration does not have this agent.
Result<const Json*> agent_entry(const Json& document, const std::string& agent);
// The one with `default: true`, else the first of a list, else "main".
Result<std::string> usual_agent(const Json& document);

// `sandbox` of the defaults with that of the agent over it: what the agent's says counts, objects are merged key by
// key, and docker.binds and mounts are joined. In the scope "shared" only what is no property of the shared sandbox is
// taken from the agent.
Json merged_sandbox(const Json* defaults, const Json* agent);

}  // namespace sbx::openclaw
