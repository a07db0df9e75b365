// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "agents/agents.h"

// What --agent-config takes of each agent's configuration: words that make up a user's way of working. Nothing that
// runs programs by the host's own paths (hooks, status lines), nothing that may hold a login or a key.
namespace sbx::agents {

std::vector<ConfigRule> claude_config();
std::vector<ConfigRule> codex_config();
std::vector<ConfigRule> copilot_config();
// Of Gemini CLI and of Qwen Code, which is made of it. `page` is the file of its user's instructions.
std::vector<ConfigRule> gemini_config(const std::string& directory, const std::string& page);
std::vector<ConfigRule> opencode_config();

}  // namespace sbx::agents
