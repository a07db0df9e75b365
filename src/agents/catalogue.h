// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agents/agents.h"
#include "base/result.h"

namespace sbx::agents {

// The agents that there are: those of the table and the user's own, by a file (docs/agents.md):
//   {"agents": [{"name": "mine", "command": ["mine", "--yes"], "package": "@me/mine", "version": "1.2.0"}]}
class Catalogue {
 public:
  Catalogue() : agents_(table()) {}
  // A file that is not there adds none. kInvalid names the file and what is wrong in it.
  static Result<Catalogue> read(const std::string& path);
  static Result<Catalogue> parse(std::string_view text);

  const Agent* find(std::string_view name) const;
  const std::vector<Agent>& all() const { return agents_; }

 private:
  std::vector<Agent> agents_;
};

}  // namespace sbx::agents
