// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/choice.h"
#include "base/members.h"

namespace sbx::wire {

// An agent that `run` knows by name.
struct AgentInfo {
  std::string name;
  std::vector<std::string> command;  // how it is started
  std::string template_name;         // of its sandboxes
  std::string version;               // that its template has, where it has versions
  std::string service;               // whose credentials it works with; empty: any
  bool own = false;                  // it is the user's, and not of our table
};
void describe(Members& members, AgentInfo& agent);

// GET /agents.
struct AgentList {
  std::vector<AgentInfo> agents;
};
void describe(Members& members, AgentList& list);

// POST /agents/{name}/update.
struct AgentUpdate {
  std::string version;  // of the agent's package; empty: the latest
};
void describe(Members& members, AgentUpdate& update);

// What an update has done to a sandbox of the agent. kUnknown: a newer daemon has a word that this client has not.
enum class UpdateState { kUnknown, kUpdated, kNextStart, kCurrent, kKept };
constexpr auto choices(UpdateState) {
  return std::to_array<Choice<UpdateState>>({{UpdateState::kUnknown, "unknown"},
                                             {UpdateState::kUpdated, "updated"},
                                             {UpdateState::kNextStart, "at next start"},
                                             {UpdateState::kCurrent, "current"},
                                             {UpdateState::kKept, "kept"}});
}
struct UpdatedSandbox {
  std::string name;
  UpdateState state = UpdateState::kUnknown;
  std::string reason;  // why it was kept as it is
};
void describe(Members& members, UpdatedSandbox& sandbox);

struct AgentUpdated {
  std::string agent;
  std::string previous;  // the version of new sandboxes before; empty: it has no versions
  std::string version;
  std::string digest;  // of the template
  std::vector<UpdatedSandbox> sandboxes;
};
void describe(Members& members, AgentUpdated& updated);

}  // namespace sbx::wire
