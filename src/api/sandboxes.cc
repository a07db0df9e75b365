// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/event_stream.h"
#include "api/handlers.h"
#include "api/request_key.h"
#include "base/value.h"
#include "wire/error.h"

namespace sbx::api {
namespace {

constexpr std::int64_t kLongestGrace = 10 * 60 * 1000;

bool wants_events(const http::Request& request) {
  return request.header("Accept").value_or("").find("text/event-stream") != std::string_view::npos;
}

// A client that has gone does not stop a create: what it asked for is made, and found by the next request.
Result<Answer> create_with_progress(Services& services, const wire::CreateRequest& request, const wire::RequestKey& key,
                                    Connection& connection) {
  TRY_ASSIGN(EventStream stream, EventStream::open(connection));
  const auto progress = [&stream](std::string_view step, std::int64_t done, std::int64_t total) {
    (void)stream.send("progress", {{"step", step}, {"done", done}, {"total", total}});
  };
  const auto created = services.sandboxes.creation.create(request, progress, key);
  if (created)
    (void)stream.send("result", json_of(*created));
  else
    (void)stream.send("error", wire::encode(created.error()));
  stream.end();
  return Streamed{};
}

Result<std::chrono::milliseconds> grace_of(const http::Request& request) {
  TRY_ASSIGN(const Json body, json_body(request));
  Fields fields(body, "stop");
  const std::int64_t grace = fields.integer("grace_ms", sandboxes::kDefaultGrace.count());
  if (grace < 0 || grace > kLongestGrace) fields.reject("\"grace_ms\" is out of range");
  TRY(fields.finish());
  return std::chrono::milliseconds(grace);
}

}  // namespace

Result<Answer> list_sandboxes(Services& services, Call& call) {
  TRY(check_bare(call.request));
  Json list = Json::array();
  for (const auto& info : services.sandboxes.registry.list()) list.push_back(json_of(info));
  return json_response(200, {{"sandboxes", list}});
}

Result<Answer> create_sandbox(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const Json body, json_body(call.request));
  TRY_ASSIGN(const auto request, value_of<wire::CreateRequest>(body, "create"));
  TRY_ASSIGN(const auto key, request_key(call.request));
  if (wants_events(call.request)) return create_with_progress(services, request, key, call.connection);
  TRY_ASSIGN(const auto created, services.sandboxes.creation.create(request, {}, key));
  return json_response(created.created ? 201 : 200, json_of(created));
}

Result<Answer> get_sandbox(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto info, services.sandboxes.registry.info(call.name()));
  return json_response(200, json_of(info));
}

Result<Answer> delete_sandbox(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY(services.sandboxes.removal.remove(call.name()));
  return http::Response{204, {}, ""};
}

Result<Answer> start_sandbox(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto info, services.sandboxes.lifecycle.start(call.name()));
  return json_response(200, json_of(info));
}

Result<Answer> stop_sandbox(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto grace, grace_of(call.request));
  TRY_ASSIGN(const auto info, services.sandboxes.lifecycle.stop(call.name(), grace));
  return json_response(200, json_of(info));
}

}  // namespace sbx::api
