// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/agent_name.h"

#include "base/text.h"
#include "config/config.h"

namespace sbx::cli {

Result<agents::Catalogue> known_agents() {
  TRY_ASSIGN(const std::string path, config::agents_path());
  return agents::Catalogue::read(path);
}

Error unknown_agent(const std::string& name) {
  const agents::Catalogue catalogue = known_agents().value_or(agents::Catalogue());
  std::vector<std::string> known;
  for (const agents::Agent& agent : catalogue.all()) known.push_back(agent.name);
  return Error(Code::kInvalid, "invalid agent: " + printable(name) + " (must be one of: " + join(known, ", ") + ")");
}

}  // namespace sbx::cli
