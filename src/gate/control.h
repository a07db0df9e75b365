// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "base/fd.h"
#include "base/json.h"
#include "loop/loop.h"
#include "loop/message_server.h"
#include "wire/gate_control.h"

namespace sbx::gate {

// network.sock: one request message a connection, from the daemon, and its answer (docs/life-of-a-connection.md).
class Control {
 public:
  using Reply = std::function<void(const Json& answer)>;  // once; may be late, or after the asker has left
  using OnRequest = std::function<void(const wire::GateRequest& request, const Reply& reply)>;

  // Only `owner` and root are heard.
  Control(loop::Loop& loop, Fd listener, uid_t owner, OnRequest on_request);

 private:
  void request(loop::MessageServer::Asker asker, const std::string& body);

  OnRequest on_request_;
  loop::MessageServer server_;
};

}  // namespace sbx::gate
