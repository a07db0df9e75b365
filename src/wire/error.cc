// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/error.h"

#include "base/json.h"

namespace sbx::wire {

Error decode_error(const Json& json, int status) {
  const Json* error = json.is_object() && json.contains("error") ? &json["error"] : nullptr;
  if (error == nullptr || !error->is_object())
    return Error(Code::kInternal, "the daemon answered with status " + std::to_string(status));
  Fields fields(*error, "error");
  const std::string code = fields.text("code", "internal");
  const std::string message = fields.text("message", "");
  return Error(code_from(code), message, fields.text("hint", ""));
}

Json encode(const Error& error) {
  Json inner = {{"code", to_string(error.code())}, {"message", error.what()}};
  if (!error.hint().empty()) inner["hint"] = error.hint();
  return {{"error", inner}};
}

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
