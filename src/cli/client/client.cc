// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/client.h"

#include "base/format.h"
#include "base/log.h"
#include "base/socket.h"
#include "base/text.h"
#include "cli/client/daemon_process.h"
#include "http/body.h"
#include "wire/error.h"
#include "wire/request_key.h"
#include "wire/template.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kLargestAnswer = 64u << 20;
// A daemon that dies of a request must not be started for ever.
constexpr int kMostAsks = 8;
constexpr int kMostStarts = 3;

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

http::Request request_with(const Client::Path& path, const Json& body,
                           const wire::RequestKey& key = wire::RequestKey::random()) {
  http::Request request = request_for("POST", path);
  request.headers.emplace_back("Content-Type", "application/json");
  request.headers.emplace_back(wire::RequestKey::kHeader, key.text());
  request.body = dump(body);
  return request;
}

http::Request for_events(http::Request request) {
  request.headers.emplace_back("Accept", "text/event-stream");
  return request;
}

bool no_daemon_listens(const Error& error) {
  return error.code() == Code::kNotFound || error.code() == Code::kUnavailable;
}

Result<Json> parse_body(const std::string& body) {
  if (body.empty()) return Json::object();
  return parse_json(body);
}

// What an answer of 400 and above says. The daemon that was asked first may have done it.
Error refusal(int status, const std::string& body, bool is_repeat) {
  Error error = wire::decode_error(parse_body(body).value_or(Json()), status);
  return is_repeat ? std::move(error).within("asked again, because no answer came") : error;
}

// How an answer that comes piece by piece has ended.
enum class End { kHeardAll, kInOrder, kBrokeOff };

template <class OnPiece>
Result<End> each_piece(exchange::Exchange& exchange, OnPiece on_piece) {
  for (;;) {
    const auto piece = exchange.next_piece();
    if (!piece && piece.error().code() == Code::kUnavailable) return End::kBrokeOff;
    TRY(piece);
    if (piece->empty()) return End::kInOrder;
    TRY_ASSIGN(const Client::Heard heard, on_piece(*piece));
    if (heard == Client::Heard::kAll) return End::kHeardAll;
  }
}

Result<End> each_event(exchange::Exchange& exchange, const Client::OnEvent& on_event) {
  EventStream events;
  return each_piece(exchange, [&](const std::string& piece) -> Result<Client::Heard> {
    events.feed(piece);
    while (const auto event = events.next()) {
      TRY_ASSIGN(const Client::Heard heard, on_event(*event));
      if (heard == Client::Heard::kAll) return heard;
    }
    return Client::Heard::kSome;
  });
}

// The answer to a request that cannot be sent twice.
Result<> events_on(Fd connection, const Client::OnEvent& on_event) {
  TRY_ASSIGN(auto exchange, exchange::Exchange::answer_on(std::move(connection)));
  if (!exchange) return fail(Code::kUnavailable, "the daemon ended before it answered");
  if (exchange->response().status >= 400) {
    TRY_ASSIGN(const std::string text, exchange->whole_body(kLargestAnswer));
    return fail(refusal(exchange->response().status, text, false));
  }
  TRY_ASSIGN(const End end, each_event(*exchange, on_event));
  if (end != End::kHeardAll) return fail(Code::kUnavailable, "the daemon ended in the middle of its answer");
  return Ok{};
}

// Where in the log the answer begins.
Result<std::int64_t> log_position(const http::Response& response) {
  const auto position = parse_integer(response.header("Log-Position").value_or(""));
  if (!position) return fail(Code::kInternal, "the daemon does not say where in the log its answer begins");
  return *position;
}

Client::Query going_on_from(Client::Query query, std::int64_t position) {
  std::erase_if(query, [](const auto& parameter) { return parameter.first == "tail" || parameter.first == "from"; });
  query.emplace_back("from", std::to_string(position));
  return query;
}

}  // namespace

Result<Fd> Client::connect() const {
  for (int starts = 0;; ++starts) {
    auto connection = connect_unix(socket_);
    const bool outdated = connection && home_ && is_outdated(*connection, *home_);
    if ((connection && !outdated) || starts == kMostStarts) return connection;
    if (!connection && !no_daemon_listens(connection.error())) return connection;
    if (!home_)
      return fail(std::move(connection)
                      .error()
                      .within("no daemon is running")
                      .as(Code::kUnavailable)
                      .with_hint("sandbox daemon start"));
    // It would start machines of a version that it does not know.
    if (outdated && restart_by_systemd(*connection)) continue;
    if (outdated) TRY(end_daemon(*connection));
    log_debug("{}: starting a daemon", outdated ? "its program has been replaced" : socket_ + " does not answer");
    TRY(start_daemon(*home_));
  }
}

// The head of the answer. A daemon that ends before the first byte of it has not answered.
Result<exchange::Exchange> Client::ask(const http::Request& request, int& asks) const {
  while (asks++ < kMostAsks) {
    log_debug("{} /{}", request.method, join(request.segments, "/"));
    TRY_ASSIGN(Fd connection, connect());
    TRY_ASSIGN(auto exchange, exchange::Exchange::begin(std::move(connection), request));
    if (exchange) {
      log_debug("the daemon answered with status {}", exchange->response().status);
      return std::move(*exchange);
    }
  }
  return fail(Code::kUnavailable, sbx::format("the daemon ended before it answered, {} times", kMostAsks));
}

Result<exchange::Exchange> Client::begin(const http::Request& request, int& asks) const {
  TRY_ASSIGN(exchange::Exchange exchange, ask(request, asks));
  const int status = exchange.response().status;
  if (status < 400) return exchange;
  TRY_ASSIGN(const std::string body, exchange.whole_body(kLargestAnswer));
  return fail(refusal(status, body, asks > 1));
}

Result<Client::Answer> Client::whole_answer(const http::Request& request) const {
  for (int asks = 0;;) {
    TRY_ASSIGN(exchange::Exchange exchange, ask(request, asks));
    auto body = exchange.whole_body(kLargestAnswer);
    if (body) return Answer{exchange.response().status, std::move(*body), asks > 1};
    const bool broke_off = body.error().code() == Code::kUnavailable;
    if (!broke_off || asks >= kMostAsks) return fail(std::move(body).error());
  }
}

Result<Json> Client::json_answer(http::Request request) const {
  request.headers.emplace_back("Connection", "close");
  TRY_ASSIGN(const Answer answer, whole_answer(request));
  if (request.method == "DELETE" && answer.status == 404 && answer.is_repeat) return Json::object();
  if (answer.status >= 400) return fail(refusal(answer.status, answer.body, answer.is_repeat));
  auto json = parse_body(answer.body);
  if (!json) return fail(std::move(json).error().within("the daemon's answer").as(Code::kInternal));
  return json;
}

Result<Json> Client::get(const Path& path, const Query& query) const { return json_answer(query_for(path, query)); }

Result<Json> Client::post(const Path& path, const Json& body, const Query& query) const {
  http::Request request = request_with(path, body);
  request.query = query;
  return json_answer(std::move(request));
}

Result<Json> Client::remove(const Path& path, const Query& query) const {
  http::Request request = request_for("DELETE", path);
  request.query = query;
  return json_answer(std::move(request));
}

Result<> Client::post_for_events(const Path& path, const Json& body, const OnEvent& on_event,
                                 const wire::RequestKey& key) const {
  const http::Request request = for_events(request_with(path, body, key));
  for (int asks = 0; asks < kMostAsks;) {
    TRY_ASSIGN(exchange::Exchange exchange, begin(request, asks));
    TRY_ASSIGN(const End end, each_event(exchange, on_event));
    if (end == End::kHeardAll) return Ok{};
  }
  return fail(Code::kUnavailable, sbx::format("the daemon ended in the middle of its answer, {} times", kMostAsks));
}

// An answer may come before the body has been sent whole. Then sending fails, and what matters is the answer.
Result<> Client::upload_for_events(const Path& path, const Query& query, const Source& body,
                                   const OnEvent& on_event) const {
  http::Request request = for_events(request_for("POST", path));
  request.query = query;
  request.headers.emplace_back("Content-Type", "application/x-tar");
  request.headers.emplace_back("Transfer-Encoding", "chunked");
  TRY_ASSIGN(Fd connection, connect());
  bool is_refused = !send_all(connection, http::render(request), "send a request to the daemon");
  const auto send = [&](std::string_view bytes) -> Result<> {
    if (bytes.empty() || is_refused) return Ok{};
    is_refused = !send_all(connection, http::chunk(bytes), "send a request to the daemon");
    return Ok{};
  };
  TRY(body(send));
  if (!is_refused) (void)send_all(connection, http::last_chunk({}), "send a request to the daemon");
  return events_on(std::move(connection), on_event);
}

Result<> Client::attach_for_events(const Path& path, const Query& query, const Fd& file,
                                   const OnEvent& on_event) const {
  http::Request request = for_events(request_for("POST", path));
  request.query = query;
  request.headers.emplace_back(wire::kArchiveHeader, wire::kAttached);
  TRY_ASSIGN(Fd connection, connect());
  (void)send_all(connection, http::render(request), "send a request to the daemon", {file.get()});
  return events_on(std::move(connection), on_event);
}

Result<bool> Client::get_for_events(const Path& path, const Query& query, const OnEvent& on_event) const {
  int asks = 0;
  TRY_ASSIGN(exchange::Exchange exchange, begin(for_events(query_for(path, query)), asks));
  TRY_ASSIGN(const End end, each_event(exchange, on_event));
  return end != End::kBrokeOff;
}

Result<> Client::get_log(const Path& path, const Query& query, const OnBytes& on_bytes) const {
  Query wanted = query;
  for (int asks = 0; asks < kMostAsks;) {
    TRY_ASSIGN(exchange::Exchange exchange, begin(query_for(path, wanted), asks));
    TRY_ASSIGN(std::int64_t position, log_position(exchange.response()));
    TRY_ASSIGN(const End end, each_piece(exchange, [&](const std::string& piece) -> Result<Heard> {
                 TRY(on_bytes(piece));
                 position += static_cast<std::int64_t>(piece.size());
                 asks = 0;
                 return Heard::kSome;
               }));
    if (end == End::kInOrder) return Ok{};
    wanted = going_on_from(std::move(wanted), position);
  }
  return fail(Code::kUnavailable, sbx::format("the daemon ended in the middle of its answer, {} times", kMostAsks));
}

Result<> Client::get_file(const Path& path, const OnBytes& on_bytes) const {
  int asks = 0;
  TRY_ASSIGN(exchange::Exchange exchange, begin(query_for(path, {}), asks));
  TRY_ASSIGN(const End end, each_piece(exchange, [&](const std::string& piece) -> Result<Heard> {
               TRY(on_bytes(piece));
               return Heard::kSome;
             }));
  if (end == End::kInOrder) return Ok{};
  return fail(Code::kUnavailable, "the daemon broke off in the middle of the file", "sandbox diagnose");
}

Result<exchange::Upgraded> Client::upgrade(const Path& path, std::string_view protocol, const Json& body) const {
  http::Request request = request_with(path, body);
  request.headers.emplace_back("Connection", "Upgrade");
  request.headers.emplace_back("Upgrade", std::string(protocol));
  int asks = 0;
  TRY_ASSIGN(exchange::Exchange exchange, begin(request, asks));
  if (exchange.response().status != 101)
    return fail(Code::kInternal, "the daemon did not switch to " + std::string(protocol));
  return std::move(exchange).upgrade();
}

}  // namespace sbx::cli
