// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/handlers.h"
#include "base/value.h"
#include "wire/agent.h"

namespace sbx::api {

Result<Answer> list_agents(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const agents::Catalogue catalogue, services.sandboxes.parts.agents());
  wire::AgentList list;
  for (const agents::Agent& agent : catalogue.all())
    list.agents.push_back({agent.name, agent.command, agent.template_name(), agent.version, agent.service,
                           agents::find(agent.name) == nullptr});
  return json_response(200, json_of(list));
}

}  // namespace sbx::api
