// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/event_stream.h"

namespace sbx::api {

Result<EventStream> EventStream::open(Connection& connection) {
  TRY_ASSIGN(const ChunkedBody body,
             ChunkedBody::open(connection, {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}}));
  return EventStream(body);
}

// dump() writes one line, so one "data:" is enough.
Result<> EventStream::send(std::string_view kind, const Json& data) {
  return body_.send("event: " + std::string(kind) + "\ndata: " + dump(data) + "\n\n");
}

Result<> EventStream::heartbeat() { return body_.send(":\n\n"); }

}  // namespace sbx::api
