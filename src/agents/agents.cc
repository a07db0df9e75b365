// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agents/agents.h"

namespace sbx::agents {

const std::vector<Agent>& table() {
  static const std::vector<Agent> agents{
      {"shell", "shell", {"bash", "-l"}},
  };
  return agents;
}

const Agent* find(std::string_view name) {
  for (const Agent& agent : table())
    if (agent.name == name) return &agent;
  return nullptr;
}

std::vector<std::string> command_line(const Agent& agent, const std::vector<std::string>& arguments) {
  const bool begins_with_word = !arguments.empty() && !arguments.front().starts_with('-');
  // A shell has no words of its own: what is meant is a command.
  if (begins_with_word && agent.name == "shell") return arguments;
  std::vector<std::string> command = agent.command;
  if (begins_with_word) command.resize(1);
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

}  // namespace sbx::agents
