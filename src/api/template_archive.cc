// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/chunked_body.h"
#include "api/handlers.h"
#include "base/log.h"

namespace sbx::api {

// What fails once the first bytes are gone is a body without an end: the client sees that it broke off.
Result<Answer> get_template_archive(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto file, services.sandboxes.saves.archive(call.name()));
  TRY_ASSIGN(ChunkedBody body, ChunkedBody::open(call.connection, {{"Content-Type", "application/x-tar"}}));
  const auto written = file.write([&body](std::string_view bytes) { return body.send(bytes); });
  if (written)
    body.end();
  else
    log_warning("template {} was not sent whole: {}", call.name(), written.error().what());
  return Streamed{};
}

}  // namespace sbx::api
