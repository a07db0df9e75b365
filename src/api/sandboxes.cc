// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/handlers.h"
#include "api/progress_stream.h"
#include "api/request_key.h"
#include "base/value.h"

namespace sbx::api {
Result<Answer> list_sandboxes(Services& services, Call& call) {
  TRY(check_bare(call.request));
  return json_response(200, json_of(wire::SandboxList{services.sandboxes.registry.list()}));
}

Result<Answer> create_sandbox(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto request, body_as<wire::CreateRequest>(call.request, "create"));
  TRY_ASSIGN(const auto key, request_key(call.request));
  return with_progress(call, [&](const OnProgress& progress) -> Result<http::Response> {
    TRY_ASSIGN(const auto created, services.sandboxes.creation.create(request, progress, key));
    return json_response(created.created ? 201 : 200, json_of(created));
  });
}

Result<Answer> cancel_create(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto key, wire::RequestKey::parse(call.variables["key"]));
  TRY(services.sandboxes.creation.cancel(key));
  return http::Response{204, {}, ""};
}

Result<Answer> get_sandbox(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto info, services.sandboxes.registry.info(call.name()));
  return json_response(200, json_of(info));
}

Result<Answer> delete_sandbox(Services& services, Call& call) {
  TRY(check_parameters(call.request, {"stopped"}));
  TRY(check_no_body(call.request));
  TRY_ASSIGN(const bool only_stopped, is_on(call.request, "stopped"));
  TRY(only_stopped ? services.sandboxes.removal.remove_stopped(call.name())
                   : services.sandboxes.removal.remove(call.name()));
  return http::Response{204, {}, ""};
}

Result<Answer> start_sandbox(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto info, services.sandboxes.lifecycle.start(call.name()));
  return json_response(200, json_of(info));
}

Result<Answer> stop_sandbox(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto request, body_as<wire::StopRequest>(call.request, "stop"));
  const std::chrono::milliseconds grace(request.grace_ms);
  TRY_ASSIGN(const auto info, services.sandboxes.lifecycle.stop(call.name(), grace));
  return json_response(200, json_of(info));
}

}  // namespace sbx::api
