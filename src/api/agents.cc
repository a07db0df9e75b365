// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/handlers.h"
#include "api/progress_stream.h"
#include "base/value.h"
#include "wire/agent.h"

namespace sbx::api {
namespace {

std::string version_of(const Services& services, const agents::Agent& agent) {
  return services.builder != nullptr ? services.builder->version_of(agent) : agent.version;
}

}  // namespace

Result<Answer> list_agents(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const agents::Catalogue catalogue, services.sandboxes.parts.agents());
  wire::AgentList list;
  for (const agents::Agent& agent : catalogue.all())
    list.agents.push_back({agent.name, agent.command, agent.template_name(), version_of(services, agent), agent.service,
                           agents::find(agent.name) == nullptr});
  return json_response(200, json_of(list));
}

Result<Answer> update_agent(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto request, body_as<wire::AgentUpdate>(call.request, "update"));
  if (services.builder == nullptr) return fail(Code::kUnsupported, "this daemon builds no templates");
  return with_progress(call, [&](const OnProgress& progress) -> Result<http::Response> {
    TRY_ASSIGN(const auto updated, services.builder->update(call.variables["name"], request.version, progress));
    return json_response(200, json_of(updated));
  });
}

}  // namespace sbx::api
