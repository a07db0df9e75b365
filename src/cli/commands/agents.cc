// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "base/value.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {

Result<int> agents(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto known, list_agents(client));
  if (arguments.on("json")) {
    print_json(json_of(wire::AgentList{known}));
    return 0;
  }
  std::vector<std::vector<std::string>> rows{{"AGENT", "VERSION", "TEMPLATE", "STARTED AS"}};
  for (const wire::AgentInfo& agent : known)
    rows.push_back({agent.name, agent.version, agent.template_name, join(agent.command, " ")});
  print(columns(rows));
  return 0;
}

}  // namespace sbx::cli::verbs
