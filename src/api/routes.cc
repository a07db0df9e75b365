// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/routes.h"

#include <array>

#include "api/handlers.h"
#include "base/text.h"
#include "wire/error.h"

namespace sbx::api {
namespace {

constexpr std::array kRoutes{
    Route{"GET", "/version", get_version},
    Route{"GET", "/agents", list_agents},
    Route{"POST", "/agents/{name}/update", update_agent},
    Route{"GET", "/vm", list_vms},
    Route{"POST", "/vm", create_vm},
    Route{"DELETE", "/vm/{name}", delete_vm},
    Route{"GET", "/sandboxes", list_sandboxes},
    Route{"POST", "/sandboxes", create_sandbox},
    Route{"DELETE", "/creates/{key}", cancel_create},
    Route{"GET", "/sandboxes/{name}", get_sandbox},
    Route{"DELETE", "/sandboxes/{name}", delete_sandbox},
    Route{"POST", "/sandboxes/{name}/start", start_sandbox},
    Route{"POST", "/sandboxes/{name}/stop", stop_sandbox},
    Route{"POST", "/sandboxes/{name}/save", save_sandbox},
    Route{"POST", "/sandboxes/{name}/exec", exec_in_sandbox},
    Route{"GET", "/sandboxes/{name}/sessions", list_sessions},
    Route{"DELETE", "/sandboxes/{name}/sessions/{session}", end_session},
    Route{"POST", "/sandboxes/{name}/sessions/{session}/attach", attach_to_session},
    Route{"GET", "/sandboxes/{name}/logs", get_logs},
    Route{"GET", "/sandboxes/{name}/credentials", get_credentials},
    Route{"GET", "/sandboxes/{name}/mcp", get_mcp_grants},
    Route{"POST", "/sandboxes/{name}/mcp", change_mcp_grants},
    Route{"GET", "/sandboxes/{name}/network/policy", get_policy},
    Route{"POST", "/sandboxes/{name}/network/policy", edit_policy},
    Route{"GET", "/sandboxes/{name}/network/check", check_policy},
    Route{"GET", "/sandboxes/{name}/network/ports", get_ports},
    Route{"POST", "/sandboxes/{name}/network/ports", change_ports},
    Route{"POST", "/sandboxes/{name}/network/hosts", add_hosts},
    Route{"GET", "/templates", list_templates},
    Route{"POST", "/templates/build", build_template, Body::kInPieces},
    Route{"POST", "/templates/load", load_template, Body::kInPieces},
    Route{"POST", "/templates/prune", prune_templates},
    Route{"POST", "/templates/pull", pull_template},
    Route{"POST", "/templates/tag", tag_template},
    Route{"GET", "/templates/{name}", get_template},
    Route{"DELETE", "/templates/{name}", delete_template},
    Route{"GET", "/templates/{name}/history", get_template_history},
    Route{"GET", "/templates/{name}/archive", get_template_archive},
    Route{"GET", "/secrets", list_secrets},
    Route{"POST", "/secrets", add_secret},
    Route{"GET", "/secrets/status", get_secrets_status},
    Route{"GET", "/secrets/audit", get_audit},
    Route{"GET", "/secrets/audit/verify", verify_audit},
    Route{"DELETE", "/secrets/{secret}", remove_secret},
    Route{"POST", "/secrets/{secret}/lease", lease_secret},
    Route{"GET", "/leases", list_leases},
    Route{"DELETE", "/leases", revoke_all_leases},
    Route{"DELETE", "/leases/{lease}", revoke_lease},
    Route{"GET", "/bindings", list_bindings},
    Route{"POST", "/bindings", bind_secret},
    Route{"DELETE", "/bindings/{binding}", unbind_secret},
    Route{"GET", "/network/log", get_network_log},
    Route{"GET", "/events", get_events},
    Route{"GET", "/system/df", get_disk_usage},
    Route{"POST", "/system/prune", post_system_prune},
    Route{"POST", "/reset", post_reset},
    Route{"POST", "/shutdown", post_shutdown},
};

http::Response no_route(const http::Request& request, const std::vector<std::string>& allowed) {
  if (allowed.empty()) return error_response(Error(Code::kNotFound, "no resource " + printable(request.path)));
  http::Response response =
      error_response(Error(Code::kInvalid, request.method + " is not possible on " + printable(request.path)));
  response.status = 405;
  response.headers.emplace_back("Allow", join(allowed, ", "));
  return response;
}

}  // namespace

std::span<const Route> routes() { return kRoutes; }

Body body_for(const http::Request& request) {
  for (const Route& route : kRoutes)
    if (route.method == request.method && Variables::match(route.pattern, request.segments)) return route.body;
  return Body::kWhole;
}

Answer answer(Services& services, const http::Request& request, Connection& connection) {
  std::vector<std::string> allowed;
  for (const Route& route : kRoutes) {
    auto variables = Variables::match(route.pattern, request.segments);
    if (!variables) continue;
    allowed.emplace_back(route.method);
    if (route.method != request.method) continue;
    Call call{request, std::move(*variables), connection};
    auto answered = route.handler(services, call);
    return answered ? std::move(*answered) : Answer(error_response(answered.error()));
  }
  return no_route(request, allowed);
}

http::Response json_response(int status, const Json& body) {
  return {status, {{"Content-Type", "application/json"}}, dump(body) + "\n"};
}

http::Response error_response(const Error& error) {
  return json_response(wire::http_status(error.code()), wire::encode(error));
}

}  // namespace sbx::api
