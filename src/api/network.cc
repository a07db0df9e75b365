// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/handlers.h"
#include "policy/check.h"
#include "policy/rules_file.h"

namespace sbx::api {
namespace {

Json ports_json(const sandboxes::Ports& ports) { return json_of(wire::PortList{ports}); }

}  // namespace

Result<Answer> get_policy(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const policy::Rules rules, services.sandboxes.policies.policy_of(call.name()));
  return json_response(200, policy::encode(rules));
}

Result<Answer> edit_policy(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto wanted, body_as<wire::PolicyEdits>(call.request, "network policy"));
  TRY_ASSIGN(const policy::Rules rules, services.sandboxes.policies.edit(call.name(), wanted.edits));
  return json_response(200, policy::encode(rules));
}

Result<Answer> check_policy(Services& services, Call& call) {
  TRY(check_parameters(call.request, {"target"}));
  TRY_ASSIGN(const policy::Rules rules, services.sandboxes.policies.policy_of(call.name()));
  TRY_ASSIGN(auto checked, policy::check(rules, call.request.parameter("target").value_or(""), call.name()));
  // Only what is inspected gets one.
  if (checked.decision == policy::Decision::kInspect)
    checked.credential = services.sandboxes.credentials.for_host(call.name(), checked.target);
  return json_response(200, json_of(checked));
}

Result<Answer> get_ports(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto info, services.sandboxes.registry.info(call.name()));
  return json_response(200, ports_json(info.ports));
}

Result<Answer> change_ports(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto change, body_as<wire::PortsChange>(call.request, "ports"));
  TRY_ASSIGN(const auto ports, services.sandboxes.networks.change_ports(call.name(), change.publish, change.unpublish));
  return json_response(200, ports_json(ports));
}

Result<Answer> add_hosts(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto added, body_as<wire::HostList>(call.request, "hosts"));
  TRY_ASSIGN(const auto known, services.sandboxes.networks.add_hosts(call.name(), added.hosts));
  return json_response(200, json_of(wire::HostList{known}));
}

}  // namespace sbx::api
