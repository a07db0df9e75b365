// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/progress_stream.h"

#include "api/event_stream.h"
#include "base/value.h"
#include "wire/error.h"
#include "wire/sandbox.h"

namespace sbx::api {

bool wants_events(const http::Request& request) {
  return request.header("Accept").value_or("").find("text/event-stream") != std::string_view::npos;
}

Result<Answer> answer_with_progress(Connection& connection, const LongWork& work) {
  TRY_ASSIGN(EventStream stream, EventStream::open(connection));
  const auto done = work([&stream](std::string_view step, std::int64_t count, std::int64_t total) {
    (void)stream.send("progress", json_of(wire::Step{std::string(step), count, total}));
  });
  if (done)
    (void)stream.send("result", *done);
  else
    (void)stream.send("error", wire::encode(done.error()));
  stream.end();
  return Streamed{};
}

}  // namespace sbx::api
