// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// What a server says: responses are read and passed on.
#include <utility>

#include "base/format.h"
#include "http/fields.h"
#include "proxy/filters.h"
#include "proxy/http1.h"

namespace sbx::proxy {
namespace {

using streams::kHighWater;

// As far as it has come. A server may say so unasked when it has waited for long (408).
bool may_be_response(std::string_view bytes) {
  constexpr std::string_view kMark = "HTTP/";
  return kMark.starts_with(bytes.substr(0, kMark.size()));
}

}  // namespace

void Http1::server_received(std::string_view bytes) {
  if (awaits_first_word() && !may_be_response(bytes)) return refuse_other_protocol();
  if (state_ != State::kBody && state_ != State::kSent) return server_failed("it speaks before it is asked");
  if (client_over_) limit(services_.limits.half_closed);
  request_repeatable_ = false;
  std::string joined = std::exchange(response_input_, {});
  if (!joined.empty()) bytes = joined.append(bytes);
  while (!response_ && !relay_ && upstream_) {
    const std::size_t before = bytes.size();
    bytes = take_response_head(bytes);
    if (bytes.size() == before) break;
  }
  if (response_) bytes = pass_response_body(bytes);
  if (relay_) return relay_->pass_to_left(bytes), relay_->start();
  if (bytes.empty() || !upstream_) return;
  if (state_ == State::kHead) return server_failed("it says more than it was asked");
  response_input_ = bytes;
}

std::string_view Http1::take_response_head(std::string_view bytes) {
  const auto length = http::head_length(bytes);
  if (length && !*length) return bytes;
  auto response = length ? read_response(request_, bytes.substr(0, **length)) : fail(length.error());
  if (!response) {
    server_failed(response.error().what());
    return {};
  }
  bytes.remove_prefix(**length);
  pass_head(std::move(*response));
  return bytes;
}

void Http1::pass_head(Http1Response response) {
  entry_->answered(response.head.status);
  if (upstream_->bound != nullptr) entry_->credential(upstream_->bound->credential());
  const bool upgraded = response.head.status == 101;
  if (upgraded && !request_.head.wants_websocket) return server_failed("an upgrade that was not asked for");
  if (!response.is_interim && pull_ && pull_->here() && blob_judged(response.head)) return;
  if (!response.is_interim && pull_) pull_->answered(response.head);
  filter(response.head);
  if (!response.is_interim || !request_.is_1_0) client_->send(write(response));
  if (upgraded) return upgrade();
  if (!response.is_interim)
    response_ = std::move(response);
  else if (client_->queued() > kHighWater)
    upstream_->stream->pause();
}

std::string_view Http1::pass_response_body(std::string_view bytes) {
  while (!response_->body.done()) {
    const auto step = response_->body.step(bytes);
    if (!step) {
      break_off(step.error().what());
      return {};
    }
    if (step->consumed == 0) return bytes;
    bytes.remove_prefix(step->consumed);
    if (!step->data.empty()) send_to_client(step->data);
  }
  response_done();
  return bytes;
}

void Http1::send_to_client(std::string_view data) {
  entry_->received(data.size());
  client_->send(response_->chunked ? std::string_view(http::chunk(data)) : data);
  if (pull_) pull_->copy(data);
  if (client_->queued() > kHighWater || (pull_ && pull_->full())) upstream_->stream->pause();
}

void Http1::client_drained() {
  if (state_ == State::kClosing) return client_over_ ? finish() : limit(services_.limits.last_words);
  if (state_ == State::kCached) return send_blob();
  resume_server();
}

void Http1::response_done() {
  const Http1Response response = std::move(*std::exchange(response_, std::nullopt));
  if (response.chunked) client_->send(http::last_chunk(response.body.trailers()));
  if (pull_) pull_->done();
  entry_.reset();
  const bool asked = state_ == State::kSent;  // all of it
  reused_ = true;
  // The vault takes no other request after one for a WebSocket, also if the server has declined.
  const bool last = upstream_->bound != nullptr && request_.head.wants_websocket;
  if (!asked || last || !response.server_stays) upstream_.reset();
  if (!asked || !response.client_stays) return close();
  await_head();
}

void Http1::server_ended() {
  const bool cut_off = upstream_->tls != nullptr && upstream_->tls->truncated();
  if (response_ && response_->body.ends_by_close() && !cut_off) return response_done();
  server_failed("it closed the connection");
}

void Http1::server_broke(const Error& why) {
  const bool refused = upstream_->bound != nullptr && why.code() == Code::kForbidden;
  const bool awaited = state_ == State::kBody || state_ == State::kSent;
  if (refused && awaited && !response_) return refuse_credential(why.what());
  server_failed(why.what());
}

void Http1::server_failed(const std::string& why) {
  if (state_ == State::kHead || state_ == State::kClosing) {
    upstream_.reset();
    return;
  }
  if (response_) return break_off(why);
  if (try_again()) return;
  if (entry_) entry_->failed(why);
  answer({502, sbx::format("No answer from {}: {}\n", target().text(), why)});
}

// A server may close a connection that it has kept open, just when the next request is on its way. Only what has no
// body and changes nothing is asked again.
bool Http1::try_again() {
  if (!reused_ || !request_repeatable_ || state_ != State::kSent) return false;
  upstream_.reset();
  reach_server();
  return true;
}

void Http1::upgrade() {
  state_ = State::kRelay;
  relay_ = std::make_unique<streams::Relay>(std::move(client_), std::move(upstream_->stream), [this] {
    entry_->counted(relay_->to_right(), relay_->to_left());
    finish();
  });
  relay_->pass_to_right(std::exchange(input_, {}));
}

}  // namespace sbx::proxy
