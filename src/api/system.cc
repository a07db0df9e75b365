// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/system.h"

#include <unistd.h>

#include "api/body.h"
#include "api/handlers.h"
#include "version.h"

namespace sbx::api {

Result<Answer> get_version(Services& services, Call& call) {
  TRY(check_bare(call.request));
  return json_response(200, json_of(wire::Version{SANDBOXD_VERSION, SANDBOXD_COMMIT, ::getpid(), services.started_at}));
}

Result<Answer> post_reset(Services& services, Call& call) {
  TRY(check_parameters(call.request, {"all"}));
  TRY(check_no_body(call.request));
  TRY_ASSIGN(const bool all, is_on(call.request, "all"));
  TRY_ASSIGN(auto removed, services.sandboxes.removal.reset());
  if (all) TRY(services.sandboxes.storage.remove_shared());
  return json_response(200, json_of(wire::Reset{std::move(removed)}));
}

Result<Answer> get_disk_usage(Services& services, Call& call) {
  TRY(check_parameters(call.request, {"sandbox"}));
  TRY(check_no_body(call.request));
  const std::string only = call.request.parameter("sandbox").value_or("");
  if (!only.empty()) TRY(services.sandboxes.registry.find(only));
  TRY_ASSIGN(const auto usage, services.sandboxes.storage.usage(only));
  return json_response(200, json_of(usage));
}

Result<Answer> post_system_prune(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const std::int64_t bytes, services.sandboxes.storage.remove_blobs());
  return json_response(200, json_of(wire::SystemPruned{bytes}));
}

Result<Answer> post_shutdown(Services& services, Call& call) {
  TRY(check_bare(call.request));
  services.shut_down();
  return http::Response{204, {{"Connection", "close"}}, ""};
}

}  // namespace sbx::api
