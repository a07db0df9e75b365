// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agents/agents.h"
#include "base/result.h"
#include "cli/context.h"
#include "wire/sandbox.h"

namespace sbx::cli {

// Copies the user's own configuration of the sandbox's agent (userconfig/user_config.h) into the agent's home, and says
// what was taken and what was left. The sandbox was just made: it runs afterwards, or is removed again if this fails.
Result<> bring_agent_config(const Context& context, const Client& client, const wire::SandboxInfo& sandbox, bool quiet);

// Before anything is made. kInvalid: nothing is known of the configuration of this agent.
Result<> check_agent_config(const std::string& agent);

}  // namespace sbx::cli
