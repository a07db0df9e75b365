// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::agents {

// An agent that `run` knows by name: which template it lives in and how it is started.
struct Agent {
  std::string_view name;
  std::string_view template_name;  // of the images room
  std::vector<std::string> command;
};

const std::vector<Agent>& table();
const Agent* find(std::string_view name);

// The agent's own command with the user's arguments (after --): appended to its flags if the first begins with '-',
// in the place of its flags otherwise. For the agent shell, a first word without '-' is the command to run.
std::vector<std::string> command_line(const Agent& agent, const std::vector<std::string>& arguments);

}  // namespace sbx::agents
