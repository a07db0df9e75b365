// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client.h"

#include "base/log.h"
#include "base/socket.h"
#include "base/text.h"
#include "cli/daemon_process.h"
#include "wire/sandbox.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kLargestAnswer = 64u << 20;

http::Request request_for(std::string_view method, const Client::Path& path) {
  http::Request request;
  request.method = method;
  request.segments = path;
  request.headers = {{"Host", "sandboxd"}};
  return request;
}

http::Request query_for(const Client::Path& path, const Client::Query& query) {
  http::Request request = request_for("GET", path);
  request.query = query;
  return request;
}

http::Request request_with(const Client::Path& path, const Json& body) {
  http::Request request = request_for("POST", path);
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = dump(body);
  return request;
}

bool nobody_listens(const Error& error) {
  return error.code() == Code::kNotFound || error.code() == Code::kUnavailable;
}

Result<Json> parse_body(const std::string& body) {
  if (body.empty()) return Json::object();
  return parse_json(body);
}

}  // namespace

Result<Fd> Client::connect() const {
  auto connection = connect_unix(socket_);
  if (connection && home_ && is_outdated(*connection)) {
    // It would start machines of a version that it does not know.
    log_debug("the daemon's program has been replaced: restarting it");
    TRY(end_daemon(*connection));
    TRY(start_daemon(*home_));
    return connect_unix(socket_);
  }
  if (connection || !nobody_listens(connection.error())) return connection;
  if (!home_)
    return fail(std::move(connection)
                    .error()
                    .within("no daemon is running")
                    .as(Code::kUnavailable)
                    .with_hint("sandbox daemon start"));
  log_debug("nobody listens on {}: starting a daemon", socket_);
  TRY(start_daemon(*home_));
  return connect_unix(socket_);
}

Result<Exchange> Client::send(http::Request request) const {
  log_debug("{} /{}", request.method, join(request.segments, "/"));
  TRY_ASSIGN(Fd connection, connect());
  TRY_ASSIGN(Exchange exchange, Exchange::begin(std::move(connection), request));
  const int status = exchange.response().status;
  log_debug("the daemon answered with status {}", status);
  if (status < 400) return exchange;
  TRY_ASSIGN(const std::string body, exchange.whole_body(kLargestAnswer));
  return fail(wire::decode_error(parse_body(body).value_or(Json()), status));
}

Result<Json> Client::json_answer(http::Request request) const {
  request.headers.emplace_back("Connection", "close");
  TRY_ASSIGN(Exchange exchange, send(std::move(request)));
  TRY_ASSIGN(const std::string body, exchange.whole_body(kLargestAnswer));
  auto json = parse_body(body);
  if (!json) return fail(std::move(json).error().within("the daemon's answer").as(Code::kInternal));
  return json;
}

Result<Json> Client::get(const Path& path, const Query& query) const { return json_answer(query_for(path, query)); }
Result<Json> Client::post(const Path& path, const Json& body) const { return json_answer(request_with(path, body)); }
Result<Json> Client::remove(const Path& path) const { return json_answer(request_for("DELETE", path)); }

Result<> Client::post_for_events(const Path& path, const Json& body, const OnEvent& on_event) const {
  return events_answer(request_with(path, body), on_event);
}

Result<> Client::get_for_events(const Path& path, const Query& query, const OnEvent& on_event) const {
  return events_answer(query_for(path, query), on_event);
}

Result<> Client::events_answer(http::Request request, const OnEvent& on_event) const {
  request.headers.emplace_back("Accept", "text/event-stream");
  TRY_ASSIGN(Exchange exchange, send(std::move(request)));
  EventStream events;
  for (;;) {
    TRY_ASSIGN(const std::string piece, exchange.next_piece());
    if (piece.empty()) return Ok{};
    events.feed(piece);
    while (const auto event = events.next()) TRY(on_event(*event));
  }
}

Result<> Client::get_stream(const Path& path, const Query& query, const OnBytes& on_bytes) const {
  TRY_ASSIGN(Exchange exchange, send(query_for(path, query)));
  for (;;) {
    TRY_ASSIGN(const std::string piece, exchange.next_piece());
    if (piece.empty()) return Ok{};
    TRY(on_bytes(piece));
  }
}

Result<Upgraded> Client::upgrade(const Path& path, std::string_view protocol, const Json& body) const {
  http::Request request = request_with(path, body);
  request.headers.emplace_back("Connection", "Upgrade");
  request.headers.emplace_back("Upgrade", std::string(protocol));
  TRY_ASSIGN(Exchange exchange, send(std::move(request)));
  if (exchange.response().status != 101)
    return fail(Code::kInternal, "the daemon did not switch to " + std::string(protocol));
  return std::move(exchange).upgrade();
}

}  // namespace sbx::cli
