// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/progress_stream.h"

#include "api/event_stream.h"
#include "base/value.h"
#include "wire/error.h"
#include "wire/sandbox.h"

namespace sbx::api {
namespace {

bool wants_events(const http::Request& request) {
  return request.header("Accept").value_or("").find("text/event-stream") != std::string_view::npos;
}

}  // namespace

Result<Answer> with_progress(Call& call, const LongWork& work) {
  if (!wants_events(call.request)) {
    TRY_ASSIGN(http::Response response, work({}));
    return response;
  }
  TRY_ASSIGN(EventStream stream, EventStream::open(call.connection));
  const auto result = work([&stream](std::string_view step, std::int64_t done, std::int64_t total) {
    (void)stream.send("progress", json_of(wire::Step{std::string(step), done, total}));
  });
  if (result)
    (void)stream.send("result", parse_json(result->body).value_or(Json()));
  else
    (void)stream.send("error", wire::encode(result.error()));
  stream.end();
  return Streamed{};
}

}  // namespace sbx::api
