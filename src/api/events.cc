// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/event_stream.h"
#include "api/handlers.h"
#include "base/value.h"

namespace sbx::api {
namespace {

constexpr std::chrono::seconds kHeartbeat{15};

}  // namespace

Result<Answer> get_events(Services& services, Call& call) {
  TRY(check_bare(call.request));
  // Listening begins before the head is sent: a client that has seen it misses nothing from then on.
  const auto listener = services.sandboxes.events.listen();
  TRY_ASSIGN(EventStream stream, EventStream::open(call.connection));
  while (!listener->dropped()) {
    const auto event = listener->next(kHeartbeat);
    if (call.connection.hung_up() || (!event && listener->dropped())) break;
    const auto sent = event ? stream.send(word_of(event->kind), json_of(*event)) : stream.heartbeat();
    if (!sent) break;
  }
  stream.end();
  return Streamed{};
}

}  // namespace sbx::api
