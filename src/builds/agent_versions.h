// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "agents/agents.h"
#include "base/result.h"

namespace sbx::builds {

// Whether `a` is a later version than `b`: by the numbers between dots, one by one. One with a suffix (1.2.0-beta.1) is
// before the same without.
bool is_later(std::string_view a, std::string_view b);

// The versions of agents that `sandbox update` has found, one file for each agent. They hold until a later one is in
// our table.
class AgentVersions {
 public:
  explicit AgentVersions(std::string directory) : directory_(std::move(directory)) {}

  // That of new sandboxes: the table's, or one that was chosen and is later.
  std::string version_of(const agents::Agent& agent) const;
  Result<> choose(const agents::Agent& agent, const std::string& version) const;

 private:
  const std::string directory_;
};

}  // namespace sbx::builds
