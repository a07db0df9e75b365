// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agentloop/settings.h"
#include "base/result.h"

namespace sbx::agentloop {

// Those that ralph can ask, by the names that its users know.
inline constexpr std::string_view kRalphAgents = "opencode, claude-code, codex, copilot, cursor-agent";
bool is_ralph_agent(const std::string& name);

// An agent of the user's own: a program, and the agent of ours as which it is asked.
struct OwnAgent {
  std::string type;
  std::string command;
  std::string title;
  std::string like;
};
void describe(Members& members, OwnAgent& agent);

// The agents that there are where this runs: ours, and those of a configuration file, which come first. A variable such
// as RALPH_CLAUDE_BINARY names another program for one of ours.
class RalphAgents {
 public:
  // An empty path: the file in the user's home, if there is one.
  static Result<RalphAgents> read(const std::string& path);

  Result<AgentChoice> named(const std::string& name) const;
  Result<AgentChoice> first_here() const;

 private:
  std::vector<OwnAgent> own_;
};

std::string usual_ralph_config_path();
// A configuration file with all of ours in it, to be edited.
std::string usual_ralph_config();

}  // namespace sbx::agentloop
