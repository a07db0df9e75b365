// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/value.h"

// Requests between our own programs: a variant of operations, each a described struct that names itself:
//   struct StopCall { static constexpr std::string_view kOp = "stop"; std::int64_t grace_ms = 2000; };
//   using ShimRequest = std::variant<StatusCall, ExecCall, StopCall, WatchCall>;
// As JSON: {"op":"stop","grace_ms":2000}. The two programs may be of different versions: members that the reader does
// not know are ignored, and an operation that it does not know is answered with kUnsupported.
namespace sbx {

template <class Op>
concept Operation = Described<Op> && requires {
  Op::kOp;
};

template <Operation Op>
Json request_of(const Op& operation) {
  Json json = {{"op", Op::kOp}};
  json.update(json_of(operation));
  return json;
}

// The names of a variant's operations, in its order.
template <class Request>
struct Operations;
template <Operation... Ops>
struct Operations<std::variant<Ops...>> {
  static std::vector<std::string> names() { return {std::string(Ops::kOp)...}; }

  static Result<std::variant<Ops...>> read(const Json& json) {
    const auto op = json.is_object() ? json.find("op") : json.end();
    if (!json.is_object() || op == json.end() || !op->is_string()) return fail(Code::kInvalid, "not a request");
    const auto& name = op->template get_ref<const std::string&>();
    Result<std::variant<Ops...>> request = fail(Code::kUnsupported, "no operation \"" + name + "\" is known here");
    (void)((name == Ops::kOp && (read_as<Ops>(json, request), true)) || ...);
    return request;
  }

 private:
  template <class Op>
  static void read_as(const Json& json, Result<std::variant<Ops...>>& request) {
    auto value = value_of<Op>(json, Op::kOp, Unknown::kIgnored);
    if (value)
      request = std::move(*value);
    else
      request = fail(std::move(value).error());
  }
};

template <class Request>
Result<Request> read_request(std::string_view text) {
  auto json = parse_json(text);
  if (!json) return fail(Code::kInvalid, "not a request");
  return Operations<Request>::read(*json);
}

}  // namespace sbx
