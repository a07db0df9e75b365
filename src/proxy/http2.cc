// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http2.h"

#include <utility>

#include "base/format.h"
#include "proxy/filters.h"
#include "proxy/http2_codec.h"
#include "proxy/log_line.h"

namespace sbx::proxy {

// One request and its response.
struct Exchange {
  std::int32_t client_stream;
  std::int32_t server_stream;
  std::unique_ptr<LogLine> entry;
  bool answered = false;  // the final head has come
  bool client_closed = false;
  bool server_closed = false;
};

namespace {

LogLine::What what_is(const http::RequestHead& head) { return {head.method, head.path}; }

}  // namespace

Http2::Http2(ProxyServices& services, Inputs inputs)
    : services_(services),
      standing_(std::move(inputs.origin)),
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

Http2::~Http2() = default;

bool Http2::offends(const policy::Policy& policy) const {
  return server_ && (!verdict_on(*upstream_, policy).allowed() || bypasses_vault(*upstream_, services_));
}

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
  request(stream, read_request(std::move(headers)), last);
}

void Http2::request(std::int32_t stream, http::RequestHead head, bool last) {
  const policy::Verdict& standing = standing_.under(services_.policy);
  if (const auto refused = ask_filters({standing_.origin(), standing, services_.bindings()}, head))
    return refuse(stream, *refused, head);
  if (answer_ && answer_->refusal) return refuse(stream, *answer_->refusal, head);
  auto entry = std::make_unique<LogLine>(services_, target(), standing, what_is(head));
  const bool wants_body = head.method != "HEAD";
  const std::int32_t onward = answer_ || !server_ ? -1 : server_->send_request(write(std::move(head)), last);
  if (onward < 0) {
    const Answer sorry = answer_.value_or(Answer{502, "The server takes no more requests here.\n"});
    entry->answered(sorry.status);
    return answer(stream, sorry, wants_body);
  }
  auto exchange = std::make_unique<Exchange>(Exchange{stream, onward, std::move(entry)});
  by_server_stream_[onward] = exchange.get();
  exchanges_[stream] = std::move(exchange);
  rest();
}

void Http2::refuse(std::int32_t stream, const policy::Verdict& verdict, const http::RequestHead& head) {
  const Answer refusal = refusal_of(target(), verdict, services_.sandbox);
  LogLine(services_, target(), verdict, what_is(head)).answered(refusal.status);
  answer(stream, refusal, head.method != "HEAD");
}

// nghttp2 has ended the stream, or the connection.
void Http2::malformed(Http2Peer& peer, std::string_view why) {
  if (&peer == client_.get()) const LogLine entry(services_, target(), policy::malformed(std::string(why)), {});
}

void Http2::response(Exchange& exchange, http::Headers headers, bool last) {
  if (exchange.client_closed) return;
  if (exchange.answered) return client_->send_end(exchange.client_stream, headers);
  http::ResponseHead head = read_response(std::move(headers));
  exchange.answered = head.status >= 200;
  exchange.entry->answered(head.status);
  filter(head);
  client_->send_head(exchange.client_stream, write(std::move(head)), last);
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
  client_->send_head(
      stream,
      write(http::ResponseHead{answer.status, answer.text.size(), {{"content-type", "text/plain; charset=utf-8"}}}),
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
  answer_ = Answer{502, sbx::format("{} has closed the connection.\n", target().text())};
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
  idle_.cancel();
  if (!exchanges_.empty()) return;
  idle_ = services_.loop.after(leaving_ ? services_.limits.last_words : services_.limits.idle, [this] { idle(); });
}

// Both are told first, and may have one more word. An answer that the client does not read does not keep it open.
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
