// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http2.h"

#include <utility>

#include "base/format.h"
#include "base/text.h"
#include "proxy/entry.h"

namespace sbx::proxy {

// One request and its response.
struct Exchange {
  std::int32_t client_stream;
  std::int32_t server_stream;
  std::unique_ptr<Entry> entry;
  bool answered = false;  // the final head has come
  bool client_closed = false;
  bool server_closed = false;
};

namespace {

std::string_view value_of(const http::Headers& headers, std::string_view name) {
  return http::find(headers, name).value_or(std::string_view());
}

std::string canonical(const Origin& origin) {
  const std::uint16_t usual = origin.encrypted ? 443 : 80;
  return origin.target.port == usual ? origin.target.host.text() : origin.target.text();
}

// Beyond what nghttp2 has refused already. Empty: nothing.
std::string_view fault_in(const http::Headers& headers, bool encrypted) {
  if (value_of(headers, ":method") == "CONNECT") return "CONNECT inside a connection";
  if (value_of(headers, ":scheme") != (encrypted ? "https" : "http")) return "another scheme than the connection's";
  if (value_of(headers, ":path").find('#') != std::string_view::npos) return "a fragment in the path";
  for (const char* name : {":authority", "host"})
    if (value_of(headers, name).find('@') != std::string_view::npos) return "a user in the authority";
  return {};
}

Entry::What what_is(const http::Headers& headers) { return {value_of(headers, ":method"), value_of(headers, ":path")}; }

bool wants_body(const http::Headers& headers) { return value_of(headers, ":method") != "HEAD"; }

// As the server gets it. nghttp2 has refused the fields of HTTP/1.1's connections already.
http::Headers to_server(const http::Headers& headers, const Origin& origin) {
  http::Headers out;
  for (const auto& [name, value] : headers) {
    if (name == ":authority" || name == "host" || name.starts_with("proxy-")) continue;
    if (name == ":path") out.emplace_back(":authority", canonical(origin));
    out.emplace_back(name, value);
  }
  return out;
}

}  // namespace

Http2::Http2(Services& services, Inputs inputs)
    : services_(services),
      origin_(std::move(inputs.origin)),
      answer_(std::move(inputs.answer)),
      on_done_(std::move(inputs.on_done)),
      upstream_(std::move(inputs.upstream)) {
  using Role = Http2Peer::Role;
  Http2Peer::Events& events = *this;  // here, where the base is accessible
  client_ = std::make_unique<Http2Peer>(services.loop, services.limits, Role::kServer, std::move(inputs.client), events,
                                        std::move(inputs.first));
  if (upstream_)
    server_ = std::make_unique<Http2Peer>(services.loop, services.limits, Role::kClient, std::move(upstream_->stream),
                                          events);
  rest();
}

Http2::~Http2() {
  if (idle_) services_.loop.cancel(*idle_);
}

bool Http2::offends(const policy::Policy& policy) const { return server_ && !verdict_on(*upstream_, policy).allowed(); }

Exchange* Http2::find(const Http2Peer& peer, std::int32_t stream) {
  if (&peer == client_.get()) {
    const auto it = exchanges_.find(stream);
    return it == exchanges_.end() ? nullptr : it->second.get();
  }
  const auto it = by_server_stream_.find(stream);
  return it == by_server_stream_.end() ? nullptr : it->second;
}

void Http2::head(Http2Peer& peer, std::int32_t stream, http::Headers headers, bool last) {
  Exchange* exchange = find(peer, stream);
  if (&peer == server_.get()) {
    if (exchange != nullptr) response(*exchange, std::move(headers), last);
    return;
  }
  if (exchange != nullptr) return server_->send_end(exchange->server_stream, headers);
  request(stream, std::move(headers), last);
}

policy::Verdict Http2::verdict(const http::Headers& headers) const {
  policy::Request request{origin_.encrypted, {}, value_of(headers, ":authority")};
  if (origin_.server_name) request.server_name = *origin_.server_name;
  const auto host = http::find(headers, "host");
  if (request.authority.empty() && host) request.authority = *host;
  policy::Verdict verdict = services_.policy->at_request(origin_.target, request);
  if (verdict.allowed() && host) {
    request.authority = *host;
    verdict = services_.policy->at_request(origin_.target, request);
  }
  return verdict;
}

void Http2::request(std::int32_t stream, http::Headers headers, bool last) {
  if (const auto fault = fault_in(headers, origin_.encrypted); !fault.empty())
    return refuse(stream, 400, policy::malformed(std::string(fault)), headers);
  policy::Verdict decided = verdict(headers);
  if (decided.allowed() && answer_ && answer_->refusal) decided = *answer_->refusal;
  if (!decided.allowed()) return refuse(stream, 403, decided, headers);
  auto entry = std::make_unique<Entry>(services_, origin_.target, decided, what_is(headers));
  const std::int32_t onward = answer_ || !server_ ? -1 : server_->send_request(to_server(headers, origin_), last);
  if (onward < 0) {
    const Answer sorry = answer_.value_or(Answer{502, "The server takes no more requests here.\n", {}});
    entry->answered(sorry.status);
    return answer(stream, sorry, wants_body(headers));
  }
  auto exchange = std::make_unique<Exchange>(Exchange{stream, onward, std::move(entry)});
  by_server_stream_[onward] = exchange.get();
  exchanges_[stream] = std::move(exchange);
  rest();
}

void Http2::refuse(std::int32_t stream, int status, const policy::Verdict& verdict, const http::Headers& headers) {
  Entry(services_, origin_.target, verdict, what_is(headers)).answered(status);
  const std::string text =
      status == 400 ? verdict.detail + "\n" : policy::explanation(origin_.target, verdict, {services_.sandbox});
  answer(stream, {status, text, {}}, wants_body(headers));
}

// nghttp2 has ended the stream, or the connection.
void Http2::malformed(Http2Peer& peer, std::string_view why) {
  if (&peer == client_.get()) const Entry entry(services_, origin_.target, policy::malformed(std::string(why)), {});
}

void Http2::response(Exchange& exchange, http::Headers headers, bool last) {
  if (exchange.client_closed) return;
  if (exchange.answered) return client_->send_end(exchange.client_stream, headers);
  const auto status = parse_integer(value_of(headers, ":status")).value_or(0);
  exchange.answered = status >= 200;
  exchange.entry->answered(static_cast<int>(status));
  client_->send_head(exchange.client_stream, headers, last);
}

bool Http2::data(Http2Peer& peer, std::int32_t stream, std::string_view bytes) {
  const Exchange* exchange = find(peer, stream);
  if (exchange == nullptr) return false;
  if (&peer == client_.get()) {
    exchange->entry->sent(bytes.size());
    return server_->send_data(exchange->server_stream, bytes);
  }
  exchange->entry->received(bytes.size());
  return client_->send_data(exchange->client_stream, bytes);
}

void Http2::consumed(Http2Peer& peer, std::int32_t stream, std::size_t bytes) {
  const Exchange* exchange = find(peer, stream);
  if (exchange == nullptr) return;
  if (&peer == client_.get())
    server_->give_window(exchange->server_stream, bytes);
  else
    client_->give_window(exchange->client_stream, bytes);
}

void Http2::end(Http2Peer& peer, std::int32_t stream) {
  const Exchange* exchange = find(peer, stream);
  if (exchange == nullptr) return;
  if (&peer == client_.get())
    server_->send_end(exchange->server_stream);
  else
    client_->send_end(exchange->client_stream);
}

void Http2::closed(Http2Peer& peer, std::int32_t stream, std::uint32_t error) {
  Exchange* exchange = find(peer, stream);
  if (exchange == nullptr) return;
  if (&peer == client_.get()) {
    exchange->client_closed = true;
    if (!exchange->server_closed) server_->reset(exchange->server_stream, NGHTTP2_CANCEL);
  } else {
    exchange->server_closed = true;
    const bool cut_off = error != NGHTTP2_NO_ERROR || !exchange->answered;
    if (!exchange->client_closed && cut_off)
      client_->reset(exchange->client_stream,
                     error != NGHTTP2_NO_ERROR ? error : std::uint32_t{NGHTTP2_INTERNAL_ERROR});
  }
  if (!exchange->client_closed || !exchange->server_closed) return;
  by_server_stream_.erase(exchange->server_stream);
  exchanges_.erase(exchange->client_stream);
  rest();
}

void Http2::answer(std::int32_t stream, const Answer& answer, bool with_body) {
  client_->send_head(stream,
                     {{":status", std::to_string(answer.status)},
                      {"content-type", "text/plain; charset=utf-8"},
                      {"content-length", std::to_string(answer.text.size())}},
                     !with_body);
  rest();
  if (!with_body) return;
  client_->send_data(stream, answer.text);
  client_->send_end(stream);
}

void Http2::shut_down(Http2Peer& peer) {
  if (&peer == server_.get()) client_->shut_down();
}

void Http2::over(Http2Peer& peer) {
  if (&peer == client_.get()) return finish();
  // No stream of the server's will say anything any more; what it said before has been passed on.
  by_server_stream_.clear();
  answer_ = Answer{502, sbx::format("{} has closed the connection.\n", origin_.target.text()), {}};
  for (auto& [stream, exchange] : std::exchange(exchanges_, {})) {
    if (exchange->answered && exchange->server_closed) continue;
    exchange->entry->failed("the server closed the connection");
    if (exchange->answered)
      client_->reset(stream, NGHTTP2_INTERNAL_ERROR);
    else
      answer(stream, *answer_, true);
  }
  server_.reset();
  client_->shut_down();
  rest();
}

// A connection on which nothing is asked is kept for a while, as one of HTTP/1.1.
void Http2::rest() {
  if (idle_) services_.loop.cancel(*std::exchange(idle_, std::nullopt));
  if (!exchanges_.empty()) return;
  idle_ = services_.loop.after(leaving_ ? services_.limits.last_words : services_.limits.idle, [this] {
    idle_.reset();
    idle();
  });
}

// Both are told first, and may have one more word. An answer of our own that nobody takes does not keep it open.
void Http2::idle() {
  if (std::exchange(leaving_, true)) return finish();
  client_->shut_down();
  if (server_) server_->shut_down();
  rest();
}

void Http2::finish() {
  if (const OnDone done = std::exchange(on_done_, nullptr)) done();
}

}  // namespace sbx::proxy
