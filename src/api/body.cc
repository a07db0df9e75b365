// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"

#include <algorithm>

#include "base/text.h"

namespace sbx::api {

Result<Json> json_body(const http::Request& request) {
  if (trimmed(request.body).empty()) return Json(Json::object());
  auto json = parse_json(request.body);
  if (!json) return fail(std::move(json).error().within("request body"));
  return json;
}

Result<> check_parameters(const http::Request& request, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : request.query)
    if (std::ranges::find(known, name) == known.end())
      return fail(Code::kInvalid, "unknown parameter \"" + printable(name) + "\"");
  return Ok{};
}

Result<bool> is_on(const http::Request& request, const char* name) {
  const std::string value = request.parameter(name).value_or("0");
  if (value != "0" && value != "1") return fail(Code::kInvalid, "\"" + std::string(name) + "\" must be 0 or 1");
  return value == "1";
}

Result<> check_bare(const http::Request& request) {
  TRY(check_parameters(request, {}));
  return check_no_body(request);
}

Result<> check_no_body(const http::Request& request) {
  TRY_ASSIGN(const Json json, json_body(request));
  return Fields(json, "request").finish();
}

}  // namespace sbx::api
