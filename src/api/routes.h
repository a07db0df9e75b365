// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/connection.h"
#include "api/services.h"
#include "api/variables.h"
#include "base/result.h"
#include "http/message.h"

namespace sbx::api {

// One request on its way to a handler.
struct Call {
  const http::Request& request;
  Variables variables;  // of the route's pattern
  Connection& connection;

  const std::string& name() const { return variables["name"]; }  // the sandbox's, where the pattern has {name}
};

struct Streamed {};    // the handler has answered by itself; the connection ends
struct HandedOver {};  // the connection belongs to another process now
using Answer = std::variant<http::Response, Streamed, HandedOver>;
using Handler = Result<Answer> (*)(Services& services, Call& call);

struct Route {
  std::string_view method;
  std::string_view pattern;  // segments are literal or a {variable}
  Handler handler;
  Body body = Body::kWhole;
};

// The table: every path that the daemon knows.
std::span<const Route> routes();

// How the route of this request wants its body.
Body body_for(const http::Request& request);

// Finds the route and calls it. Errors and unknown paths become responses here.
Answer answer(Services& services, const http::Request& request, Connection& connection);

http::Response json_response(int status, const Json& body);
http::Response error_response(const Error& error);

}  // namespace sbx::api
