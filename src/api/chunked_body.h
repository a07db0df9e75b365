// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "api/connection.h"
#include "base/result.h"
#include "http/fields.h"

namespace sbx::api {

// A body that is sent as it comes, in chunks (RFC 9112, 7.1), on a connection that ends with it. The last chunk tells a
// client the end of the body from the end of a daemon that was killed.
class ChunkedBody {
 public:
  static Result<ChunkedBody> open(Connection& connection, http::Headers headers);

  Result<> send(std::string_view bytes);
  void end();  // the last call; a client that has gone need not hear it

 private:
  explicit ChunkedBody(Connection& connection) : connection_(&connection) {}
  Connection* connection_;
};

}  // namespace sbx::api
