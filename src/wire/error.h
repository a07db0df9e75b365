// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error.h"
#include "base/json_fwd.h"
#include "base/members.h"

namespace sbx::wire {

// {"error":{"code","message","hint"}}
struct ErrorBody {
  Code code = Code::kInternal;
  std::string message;
  std::string hint;
};
struct ErrorAnswer {
  ErrorBody error;
};
void describe(Members& members, ErrorBody& error);
void describe(Members& members, ErrorAnswer& answer);

Error decode_error(const Json& json, int http_status);
Json encode(const Error& error);
int http_status(Code code);

}  // namespace sbx::wire
