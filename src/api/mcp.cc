// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/mcp.h"

#include "api/body.h"
#include "api/handlers.h"

namespace sbx::api {

Result<Answer> get_mcp_grants(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto info, services.sandboxes.registry.info(call.name()));
  return json_response(200, json_of(wire::McpGrants{info.mcp}));
}

Result<Answer> change_mcp_grants(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto change, body_as<wire::McpChange>(call.request, "MCP servers"));
  TRY_ASSIGN(auto grants, services.sandboxes.mcp_grants.change(call.name(), change));
  return json_response(200, json_of(wire::McpGrants{std::move(grants)}));
}

}  // namespace sbx::api
