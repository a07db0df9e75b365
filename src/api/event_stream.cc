// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/event_stream.h"

namespace sbx::api {

Result<EventStream> EventStream::open(Connection& connection) {
  const http::Response head{
      200, {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}, {"Connection", "close"}}, ""};
  TRY(connection.send(http::render(head)));
  return EventStream(connection);
}

// dump() writes one line, so one "data:" is enough.
Result<> EventStream::send(std::string_view kind, const Json& data) {
  return connection_->send("event: " + std::string(kind) + "\ndata: " + dump(data) + "\n\n");
}

Result<> EventStream::heartbeat() { return connection_->send(":\n\n"); }

}  // namespace sbx::api
