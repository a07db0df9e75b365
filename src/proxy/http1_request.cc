// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// What a client says: requests are read, decided, and passed on.
#include <utility>

#include "proxy/filters.h"
#include "proxy/http1.h"
#include "proxy/opening.h"

namespace sbx::proxy {
namespace {

using streams::kHighWater;

bool is_safe(std::string_view method) { return method == "GET" || method == "HEAD"; }

}  // namespace

// In the clear the first bytes were judged before there was a session; inside TLS they are judged here.
bool Http1::awaits_first_word() const { return !asked_ && state_ == State::kHead && encrypted(); }

bool Http1::is_other_protocol() const {
  if (!awaits_first_word()) return false;
  const Opening opening = opening_of(input_);
  return opening == Opening::kOther || opening == Opening::kTls;
}

void Http1::client_received(std::string_view bytes) {
  if (state_ == State::kClosing) return;
  if (state_ == State::kBody && input_.empty()) bytes = pass_request_body(bytes);
  input_ += bytes;
  take_input();
}

void Http1::take_input() {
  while (!input_.empty() && (state_ == State::kHead || state_ == State::kBody)) {
    const State before = state_;
    if (state_ == State::kBody) {
      const std::string bytes = std::exchange(input_, {});
      input_.insert(0, pass_request_body(bytes));
    } else if (is_other_protocol()) {
      return refuse_other_protocol();
    } else if (auto taken = take_head(); !taken) {
      return reject(taken.error().code() == Code::kTooLarge ? 431 : 400, taken.error().what());
    }
    if (state_ == before) return read_on();  // more bytes are needed
  }
  if (client_ && !input_.empty() && state_ != State::kClosing) client_->pause();
}

// The client is not read while there is something of it that we have not looked at: its end would overtake it.
void Http1::read_on() {
  const bool full = state_ == State::kBody && upstream_->stream->queued() > kHighWater;
  if (!full) client_->resume();
}

Result<> Http1::take_head() {
  TRY_ASSIGN(const auto length, http::head_length(input_));
  if (!length) {
    if (!std::exchange(head_begun_, true)) limit(services_.limits.head, &Http1::head_late);
    return Ok{};
  }
  const std::string head = input_.substr(0, *length);
  input_.erase(0, *length);
  return begin(head);
}

void Http1::await_head() {
  state_ = State::kHead;
  head_begun_ = false;
  request_ = {};
  pull_.reset();
  if (client_over_ && input_.empty()) return close();
  limit(services_.limits.idle);
  take_input_soon();
}

// Not from inside a call of the server's, and not before our owner has us.
void Http1::take_input_soon() {
  if (input_.empty()) return read_on();
  client_->pause();
  lifeline_.later([this] { take_input(); });
}

Result<> Http1::begin(std::string_view head) {
  timer_.cancel();
  TRY_ASSIGN(request_, read_request(head));
  asked_ = true;
  if (is_forward_) {
    if (request_.head.method == "CONNECT") return begin_tunnel();
    TRY_ASSIGN(policy::Target target, uri_target(request_.head));
    if (!standing_ || standing_->origin().target != target) standing_.emplace(RequestOrigin{std::move(target)});
  }
  if (request_.is_1_0 && !request_.head.authority) request_.head.authority = canonical_host(standing_->origin());
  const std::size_t length = request_.head.length.value_or(0);
  request_repeatable_ = !request_.chunked && length == 0 && is_safe(request_.head.method);
  request_body_ = request_.chunked ? http::BodyDecoder::chunked() : http::BodyDecoder::of_length(length);
  decide();
  return Ok{};
}

Result<> Http1::begin_tunnel() {
  TRY_ASSIGN(policy::Target target, connect_target(request_));
  state_ = State::kRelay;
  upstream_.reset();  // of an earlier request: its answer would have no reader
  on_connect_(std::move(target), std::move(client_), std::exchange(input_, {}));
  return Ok{};
}

void Http1::decide() {
  const policy::Verdict& standing = standing_->under(services_.policy);
  if (const auto refused = ask_filters({standing_->origin(), standing, services_.bindings()}, request_.head))
    return refuse(*refused);
  if (!answer_) return find_blob() ? reach_server() : void();
  log(target(), answer_->refusal.value_or(standing));
  answer(*answer_);
}

void Http1::reach_server() {
  state_ = State::kWaiting;
  client_->pause();
  if (upstream_ && upstream_->target == target()) return send_request();
  upstream_.reset();
  reused_ = false;
  std::optional<Connector::Protocols> protocols;
  if (encrypted()) protocols = {"http/1.1"};
  connector_ = std::make_unique<Connector>(services_, target(), std::move(protocols),
                                           [this](Connected made) { connected(std::move(made)); });
}

void Http1::connected(Connected connected) {
  connector_.reset();
  if (const auto* refused = std::get_if<Refused>(&connected)) return refuse(refused->verdict);
  // The policy may have changed while we dialed.
  const policy::Verdict& standing = standing_->under(services_.policy);
  if (!standing.allowed()) return refuse(standing);
  if (const auto* failed = std::get_if<Failed>(&connected)) return give_up(standing, failed->why);
  auto& upstream = std::get<Upstream>(connected);
  // What was decided to be untouched cannot be any more, once TLS has ended here.
  if (encrypted() && !upstream.encrypted())
    return give_up(upstream.verdict, "it is not to be inspected any more; connect anew");
  if (const auto verdict = verdict_on(upstream, *services_.policy); !verdict.allowed()) return refuse(verdict);
  upstream_ = std::move(upstream);
  upstream_->stream->listen(server_side_);
  send_request();
}

void Http1::give_up(const policy::Verdict& verdict, const std::string& why) {
  log(target(), verdict);
  entry_->failed(why);
  answer(unreachable(target(), why));
}

void Http1::send_request() {
  if (!entry_) log(target(), upstream_->verdict);
  if (pull_ && pull_->here()) BlobPull::ask(request_.head);
  if (upstream_->bound != nullptr)
    upstream_->bound->begin(request_);
  else
    upstream_->stream->send(write(request_));
  upstream_->stream->resume();
  state_ = State::kBody;
  if (!request_body_.done()) return take_input_soon();
  if (upstream_->bound != nullptr && !request_.head.wants_websocket) upstream_->bound->end();
  request_sent();
}

// The vault makes its own chunks of it.
void Http1::send_body(std::string_view data) {
  const bool in_chunks = request_.chunked && upstream_->bound == nullptr;
  upstream_->stream->send(in_chunks ? std::string_view(http::chunk(data)) : data);
}

// Trailers do not go to a bound host: nothing checks them there.
void Http1::end_body() {
  if (upstream_->bound != nullptr)
    upstream_->bound->end();
  else if (request_.chunked)
    upstream_->stream->send(http::last_chunk(request_body_.trailers()));
}

// The client is read on, so that we see it go.
void Http1::request_sent() {
  state_ = State::kSent;
  if (client_over_) limit(services_.limits.half_closed);
  if (input_.empty()) client_->resume();
}

// What is left over belongs to the next request.
std::string_view Http1::pass_request_body(std::string_view bytes) {
  while (!request_body_.done()) {
    const auto step = request_body_.step(bytes);
    if (!step) {
      entry_->failed(step.error().what());
      answer({400, step.error().what() + "\n"});
      return {};
    }
    if (step->consumed == 0) return bytes;
    bytes.remove_prefix(step->consumed);
    if (step->data.empty()) continue;
    entry_->sent(step->data.size());
    send_body(step->data);
    if (upstream_->stream->queued() > kHighWater) client_->pause();
  }
  end_body();
  request_sent();
  return bytes;
}

void Http1::server_drained() {
  if (state_ == State::kBody) take_input_soon();
}

void Http1::client_ended() {
  client_over_ = true;
  if (state_ == State::kSent || state_ == State::kWaiting) limit(services_.limits.half_closed);
  if (state_ == State::kHead)
    return input_.empty() ? close() : reject(400, "the client closed in the middle of a head");
  if (state_ == State::kBody) return break_off("the client closed in the middle of a body");
  if (state_ == State::kClosing && client_->queued() == 0) finish();
}

}  // namespace sbx::proxy
