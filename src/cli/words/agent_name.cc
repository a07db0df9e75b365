// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/agent_name.h"

#include <algorithm>

#include "agents/agents.h"
#include "cli/client/remote.h"

namespace sbx::cli {

Result<bool> is_agent(const Context& context, const std::string& word) {
  if (agents::find(word) != nullptr) return true;
  if (word.empty()) return false;
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto known, list_agents(client));
  return std::ranges::any_of(known, [&](const wire::AgentInfo& agent) { return agent.name == word; });
}

}  // namespace sbx::cli
