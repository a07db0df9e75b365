// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/save.h"

#include "api/body.h"
#include "api/handlers.h"
#include "api/progress_stream.h"
#include "base/value.h"

namespace sbx::api {

Result<Answer> save_sandbox(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto request, body_as<wire::SaveRequest>(call.request, "save"));
  return with_progress(call, [&](const OnProgress& progress) -> Result<http::Response> {
    TRY_ASSIGN(const auto saved, services.sandboxes.saves.save(call.name(), request.tag, progress));
    return json_response(201, json_of(wire::Saved{saved.name, saved.digest}));
  });
}

}  // namespace sbx::api
