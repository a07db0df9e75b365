// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agentloop/transcript.h"
#include "base/result.h"

namespace sbx::agentloop {

// One question to an agent, without a terminal and without questions back.
struct AgentLine {
  std::vector<std::string> command;
  Dialect dialect = Dialect::kText;
};

struct AgentQuestion {
  std::string agent;
  std::string prompt;
  std::vector<std::string> arguments{};  // if the first is no flag, they are the whole command but for the prompt
  bool goes_on = false;                  // with the agent's last conversation
  std::string program{};                 // in the place of the agent's own, if not empty
  bool asks_permission = false;          // it is not told that it may do everything
};

// kInvalid for an agent that is not known and has no command among the arguments, and for one that cannot go on if it
// should; kTooLarge for a prompt that no command line can hold.
Result<AgentLine> agent_line(const AgentQuestion& question);

// The name in the table of agents: "claude-code" is claude, "cursor-agent" is cursor.
std::string agent_called(std::string_view name);

}  // namespace sbx::agentloop
