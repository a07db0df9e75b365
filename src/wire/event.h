// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "base/json.h"
#include "base/members.h"

namespace sbx::wire {

// kUnknown: of a newer shim. Two are between shim and daemon: kEnding, which clients see as the reason of kDie, and
// kMcp, whose detail is an McpWanted.
enum class EventKind { kUnknown, kCreate, kStart, kStop, kRemove, kDie, kExecStart, kExecExit, kEnding, kMcp };
constexpr auto choices(EventKind) {
  return std::to_array<Choice<EventKind>>({{EventKind::kUnknown, "unknown"},
                                           {EventKind::kCreate, "create"},
                                           {EventKind::kStart, "start"},
                                           {EventKind::kStop, "stop"},
                                           {EventKind::kRemove, "remove"},
                                           {EventKind::kDie, "die"},
                                           {EventKind::kExecStart, "exec_start"},
                                           {EventKind::kExecExit, "exec_exit"},
                                           {EventKind::kEnding, "ending"},
                                           {EventKind::kMcp, "mcp"}});
}

// GET /events, one per server-sent event; also what the shim tells the daemon.
struct Event {
  std::string time;
  EventKind kind = EventKind::kUnknown;
  std::string sandbox;
  Json detail = Json::object();
};
void describe(Members& members, Event& event);

}  // namespace sbx::wire
