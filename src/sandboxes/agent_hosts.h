// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "agents/agents.h"
#include "policy/edits.h"

namespace sbx::sandboxes {

// Where the agent's model and login are: the hosts of its credentials (src/secrets/services.cc), and those of its row
// in the table of agents. None for a shell.
std::vector<std::string> agent_hosts(const agents::Agent& agent);

// The edits, with the agent's hosts allowed right after each preset: later edits still win. Null: no agent, no hosts.
std::vector<policy::Edit> with_agent_hosts(const std::vector<policy::Edit>& edits, const agents::Agent* agent);

}  // namespace sbx::sandboxes
