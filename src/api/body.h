// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string_view>

#include "base/result.h"
#include "base/value.h"
#include "http/message.h"

namespace sbx::api {

// The body as JSON; no body is an empty object.
Result<Json> json_body(const http::Request& request);

// The body as a value, read strictly. `what` begins the error.
template <Described T>
Result<T> body_as(const http::Request& request, std::string_view what) {
  TRY_ASSIGN(const Json json, json_body(request));
  return value_of<T>(json, what);
}

// Names a query parameter that is none of these.
Result<> check_parameters(const http::Request& request, std::initializer_list<std::string_view> known);

// A parameter that is 0 or 1, and 0 if it is not there.
Result<bool> is_on(const http::Request& request, const char* name);

// For a request that has neither body nor parameters.
Result<> check_bare(const http::Request& request);
Result<> check_no_body(const http::Request& request);

}  // namespace sbx::api
