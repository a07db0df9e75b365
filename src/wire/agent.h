// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

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

}  // namespace sbx::wire
