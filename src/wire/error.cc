// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/error.h"

#include "base/value.h"

namespace sbx::wire {

void describe(Members& members, ErrorBody& error) {
  members.required("code", error.code);
  members.required("message", error.message);
  members.sparse("hint", error.hint);
}

void describe(Members& members, ErrorAnswer& answer) { members.required("error", answer.error); }

Error decode_error(const Json& json, int status) {
  auto answer = value_of<ErrorAnswer>(json, "error", Unknown::kIgnored);
  if (!answer) return Error(Code::kInternal, "the daemon answered with status " + std::to_string(status));
  return Error(answer->error.code, std::move(answer->error.message), std::move(answer->error.hint));
}

Json encode(const Error& error) { return json_of(ErrorAnswer{{error.code(), error.what(), error.hint()}}); }

int http_status(Code code) {
  switch (code) {
    case Code::kInvalid:
      return 400;
    case Code::kForbidden:
      return 403;
    case Code::kNotFound:
      return 404;
    case Code::kConflict:
      return 409;
    case Code::kTooLarge:
      return 413;
    case Code::kUnavailable:
      return 503;
    case Code::kTimeout:
      return 504;
    case Code::kUnsupported:
      return 501;
    case Code::kInternal:
      return 500;
  }
  return 500;
}

}  // namespace sbx::wire
