// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/handlers.h"
#include "api/request_key.h"
#include "base/text.h"
#include "base/value.h"
#include "wire/secret.h"

namespace sbx::api {
namespace {

using secrets::SecretStore;

SecretStore& store_of(Services& services) { return services.sandboxes.credentials.store(); }

http::Response no_content() { return {204, {}, ""}; }

// What was wrong with the body is not said in the body's own words, for a value may be among them.
Result<wire::SecretAdd> secret_in(const http::Request& request) {
  const auto json = parse_json(request.body);
  if (!json) return fail(Code::kInvalid, "secret: the body is not JSON, or not in UTF-8");
  return value_of<wire::SecretAdd>(*json, "secret");
}

Result<std::size_t> tail_of(const http::Request& request) {
  const auto tail = parse_integer(request.parameter("tail").value_or("0"));
  if (!tail || *tail < 0) return fail(Code::kInvalid, "\"tail\" is not a number of lines");
  return static_cast<std::size_t>(*tail);
}

}  // namespace

Result<Answer> list_secrets(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto list, store_of(services).list());
  return json_response(200, json_of(list));
}

Result<Answer> add_secret(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto key, request_key(call.request));
  TRY_ASSIGN(const auto wanted, secret_in(call.request));
  TRY(services.sandboxes.credentials.change([&](SecretStore& store) { return store.add(wanted, key.text()); }));
  return no_content();
}

Result<Answer> remove_secret(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY(services.sandboxes.credentials.change(
      [&](SecretStore& store) { return store.remove(call.variables["secret"]); }));
  return no_content();
}

Result<Answer> lease_secret(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto wanted, body_as<wire::LeaseRequest>(call.request, "lease"));
  TRY_ASSIGN(const auto leased, services.sandboxes.credentials.lease(call.variables["secret"], wanted));
  return json_response(200, json_of(leased));
}

Result<Answer> list_leases(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto list, store_of(services).leases());
  return json_response(200, json_of(list));
}

Result<Answer> revoke_lease(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY(services.sandboxes.credentials.change([&](SecretStore& store) { return store.revoke(call.variables["lease"]); }));
  return no_content();
}

Result<Answer> revoke_all_leases(Services& services, Call& call) {
  TRY(check_bare(call.request));
  wire::RevokedLeases revoked;
  TRY_ASSIGN(revoked.revoked, services.sandboxes.credentials.revoke_all());
  return json_response(200, json_of(revoked));
}

Result<Answer> list_bindings(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto list, store_of(services).bindings());
  return json_response(200, json_of(list));
}

Result<Answer> bind_secret(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto wanted, body_as<wire::BindRequest>(call.request, "binding"));
  TRY_ASSIGN(const auto bound, services.sandboxes.credentials.bind(wanted));
  return json_response(201, json_of(bound));
}

Result<Answer> unbind_secret(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY(services.sandboxes.credentials.change(
      [&](SecretStore& store) { return store.unbind(call.variables["binding"]); }));
  return no_content();
}

Result<Answer> get_audit(Services& services, Call& call) {
  TRY(check_parameters(call.request, {"tail"}));
  TRY(check_no_body(call.request));
  TRY_ASSIGN(const std::size_t tail, tail_of(call.request));
  TRY_ASSIGN(const auto entries, store_of(services).audit(tail));
  return json_response(200, json_of(entries));
}

Result<Answer> verify_audit(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto report, store_of(services).verify());
  return json_response(200, json_of(report));
}

Result<Answer> get_secrets_status(Services& services, Call& call) {
  TRY(check_bare(call.request));
  return json_response(200, json_of(store_of(services).status()));
}

Result<Answer> get_credentials(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto credentials, services.sandboxes.credentials.of(call.name()));
  return json_response(200, json_of(credentials));
}

}  // namespace sbx::api
