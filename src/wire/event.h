// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/json.h"
#include "base/members.h"

namespace sbx::wire {

// GET /events, one per server-sent event; also what the shim tells the daemon.
struct Event {
  std::string time;
  std::string kind;  // create | start | stop | remove | die | exec_start | exec_exit; from shims also ending
  std::string sandbox;
  Json detail = Json::object();
};
void describe(Members& members, Event& event);

}  // namespace sbx::wire
