// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "api/chunked_body.h"
#include "base/json.h"
#include "base/result.h"

namespace sbx::api {

// Server-sent events on a connection that ends with them, in order or not: see ChunkedBody.
class EventStream {
 public:
  static Result<EventStream> open(Connection& connection);

  Result<> send(std::string_view kind, const Json& data);
  Result<> heartbeat();  // a comment: tells both sides that the other is there
  void end() { body_.end(); }

 private:
  explicit EventStream(ChunkedBody body) : body_(body) {}
  ChunkedBody body_;
};

}  // namespace sbx::api
