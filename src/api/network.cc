// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/handlers.h"
#include "base/value.h"
#include "policy/check.h"
#include "policy/rules_file.h"

namespace sbx::api {
namespace {

Result<std::vector<policy::Edit>> edits_of(const http::Request& request) {
  TRY(check_parameters(request, {}));
  TRY_ASSIGN(const Json body, json_body(request));
  Fields fields(body, "network policy");
  std::vector<policy::Edit> edits;
  for (const Json* item : fields.list("edits")) {
    Fields edit(*item, "edit");
    edits.push_back({edit.text("name"), edit.text("value", "")});
    if (auto finished = edit.finish(); !finished) fields.reject(finished.error().what());
  }
  if (edits.empty()) fields.reject("\"edits\" is missing or empty");
  TRY(fields.finish());
  return edits;
}

Json ports_json(const sandboxes::Ports& ports) { return json_of(wire::PortList{ports}); }

}  // namespace

Result<Answer> get_policy(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const policy::Rules rules, services.sandboxes.policies.policy_of(call.name()));
  return json_response(200, policy::encode(rules));
}

Result<Answer> edit_policy(Services& services, Call& call) {
  TRY_ASSIGN(const auto edits, edits_of(call.request));
  TRY_ASSIGN(const policy::Rules rules, services.sandboxes.policies.edit(call.name(), edits));
  return json_response(200, policy::encode(rules));
}

Result<Answer> check_policy(Services& services, Call& call) {
  TRY(check_parameters(call.request, {"target"}));
  TRY_ASSIGN(const policy::Rules rules, services.sandboxes.policies.policy_of(call.name()));
  TRY_ASSIGN(const auto checked, policy::check(rules, call.request.parameter("target").value_or(""), call.name()));
  return json_response(200, json_of(checked));
}

Result<Answer> get_ports(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto info, services.sandboxes.registry.info(call.name()));
  return json_response(200, ports_json(info.ports));
}

Result<Answer> change_ports(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const Json body, json_body(call.request));
  TRY_ASSIGN(const auto change, value_of<wire::PortsChange>(body, "ports"));
  TRY_ASSIGN(const auto ports, services.sandboxes.networks.change_ports(call.name(), change.publish, change.unpublish));
  return json_response(200, ports_json(ports));
}

Result<Answer> add_hosts(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const Json body, json_body(call.request));
  TRY_ASSIGN(const auto added, value_of<wire::HostList>(body, "hosts"));
  TRY_ASSIGN(const auto known, services.sandboxes.networks.add_hosts(call.name(), added.hosts));
  return json_response(200, json_of(wire::HostList{known}));
}

}  // namespace sbx::api
