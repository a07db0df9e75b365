// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http1.h"

#include <utility>

#include "base/format.h"
#include "http/message.h"

namespace sbx::proxy {
namespace {

using streams::kHighWater;

bool is_safe(std::string_view method) { return method == "GET" || method == "HEAD"; }

std::string render_answer(const Answer& answer, bool with_body) {
  return sbx::format(
      "HTTP/1.1 {} {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
      answer.status, http::reason(answer.status), answer.text.size(), with_body ? answer.text : "");
}

}  // namespace

Http1::Http1(Services& services, Inputs inputs)
    : services_(services),
      origin_(std::move(inputs.origin)),
      answer_(std::move(inputs.answer)),
      on_done_(std::move(inputs.on_done)),
      on_connect_(std::move(inputs.on_connect)),
      client_(std::move(inputs.client)),
      upstream_(std::move(inputs.upstream)),
      input_(std::move(inputs.first)) {
  client_->listen(client_side_);
  if (upstream_.stream) {
    upstream_target_ = origin_->target;
    upstream_.stream->listen(server_side_);
  }
  await_head();
}

Http1::~Http1() { no_limit(); }

bool Http1::offends(const policy::Policy& policy) const {
  if (!upstream_target_ || !(upstream_.stream || relay_)) return false;
  return !verdict_on_upstream(policy).allowed();
}

policy::Verdict Http1::verdict_on_upstream(const policy::Policy& policy) const {
  const policy::Verdict verdict = policy.at_connect(*upstream_target_);
  return upstream_.address ? policy.at_address(*upstream_target_, verdict, *upstream_.address) : verdict;
}

// The request.

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
    } else if (auto taken = take_head(); !taken) {
      return reject(taken.error().code() == Code::kTooLarge ? 431 : 400, taken.error().what());
    }
    if (state_ == before) return read_on();  // more bytes are needed
  }
  if (client_ && !input_.empty() && state_ != State::kClosing) client_->pause();
}

// The client is not read while there is something of it that we have not looked at: its end would overtake it.
void Http1::read_on() {
  const bool full = state_ == State::kBody && upstream_.stream->queued() > kHighWater;
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
  destination_.reset();
  if (client_over_ && input_.empty()) return close();
  limit(services_.limits.idle);
  take_input_soon();
}

// Not from inside a call of the server's, and not before our owner has us.
void Http1::take_input_soon() {
  if (input_.empty()) return read_on();
  client_->pause();
  services_.loop.later([this, alive = std::weak_ptr(alive_)] {
    if (!alive.expired()) take_input();
  });
}

Result<> Http1::begin(std::string_view head) {
  no_limit();
  TRY_ASSIGN(request_, http::parse_raw_request(head));
  if (request_.method == "CONNECT") {
    if (origin_) return fail(Code::kInvalid, "CONNECT inside a connection");
    TRY_ASSIGN(policy::Target target, connect_target(request_));
    state_ = State::kRelay;
    upstream_ = {};  // of an earlier request: nobody is here any more to hear it
    on_connect_(std::move(target), std::move(client_), std::exchange(input_, {}));
    return Ok{};
  }
  TRY_ASSIGN(destination_, destination_of(request_, origin_));
  TRY_ASSIGN(const auto length, http::body_length(request_.headers));
  request_chunked_ = length.chunked;
  request_repeatable_ = !length.chunked && length.bytes.value_or(0) == 0 && is_safe(request_.method);
  request_body_ =
      length.chunked ? http::BodyDecoder::chunked() : http::BodyDecoder::of_length(length.bytes.value_or(0));
  decide();
  return Ok{};
}

policy::Verdict Http1::verdict() const {
  const bool encrypted = origin_ && origin_->encrypted;
  policy::Request request{encrypted, {}, destination_->authority};
  if (encrypted && origin_->server_name) request.server_name = *origin_->server_name;
  policy::Verdict verdict = services_.policy->at_request(destination_->target, request);
  if (verdict.allowed() && destination_->uri_authority) {
    request.authority = *destination_->uri_authority;
    verdict = services_.policy->at_request(destination_->target, request);
  }
  return verdict;
}

void Http1::decide() {
  const policy::Verdict decided = verdict();
  if (!decided.allowed()) return refuse(decided);
  if (answer_) {
    entry_ = std::make_unique<Entry>(services_, destination_->target, answer_->refusal.value_or(decided),
                                     Entry::What{request_.method, request_.target});
    return answer(*answer_);
  }
  reach_server();
}

void Http1::reach_server() {
  state_ = State::kWaiting;
  client_->pause();
  if (upstream_.stream && upstream_target_ == destination_->target) return send_request();
  upstream_ = {};
  reused_ = false;
  std::optional<Connector::Protocols> protocols;
  if (origin_ && origin_->encrypted) protocols = {"http/1.1"};
  connector_ = std::make_unique<Connector>(services_, destination_->target, std::move(protocols),
                                           [this](Upstream made) { connected(std::move(made)); });
}

void Http1::connected(Upstream upstream) {
  connector_.reset();
  upstream_ = std::move(upstream);
  if (!upstream_.verdict.allowed()) return refuse(upstream_.verdict);
  // What was decided to be untouched cannot be any more, once TLS has ended here.
  const bool untouchable = origin_ && origin_->encrypted && upstream_.tls == nullptr;
  if (!upstream_.stream || untouchable) {
    entry_ = std::make_unique<Entry>(services_, destination_->target, upstream_.verdict,
                                     Entry::What{request_.method, request_.target});
    if (untouchable) upstream_.error = "it is not to be inspected any more; connect anew";
    entry_->failed(upstream_.error);
    return answer({502, sbx::format("Cannot reach {}: {}\n", destination_->target.text(), upstream_.error), {}});
  }
  upstream_target_ = destination_->target;
  if (offends(*services_.policy))
    return refuse(verdict_on_upstream(*services_.policy));  // the policy changed while we dialled
  upstream_.stream->listen(server_side_);
  send_request();
}

void Http1::send_request() {
  if (!entry_)
    entry_ = std::make_unique<Entry>(services_, destination_->target, upstream_.verdict,
                                     Entry::What{request_.method, request_.target});
  upstream_.stream->send(http::render(to_server(request_, *destination_, origin_ && origin_->encrypted)));
  upstream_.stream->resume();
  state_ = State::kBody;
  if (request_body_.done()) return request_sent();
  take_input_soon();
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
      answer({400, step.error().what() + "\n", {}});
      return {};
    }
    if (step->consumed == 0) return bytes;
    bytes.remove_prefix(step->consumed);
    if (step->data.empty()) continue;
    entry_->sent(step->data.size());
    upstream_.stream->send(request_chunked_ ? std::string_view(http::chunk(step->data)) : step->data);
    if (upstream_.stream->queued() > kHighWater) client_->pause();
  }
  if (request_chunked_) upstream_.stream->send(http::last_chunk(request_body_.trailers()));
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

// The response.

void Http1::server_received(std::string_view bytes) {
  if (state_ != State::kBody && state_ != State::kSent) return server_failed("it speaks before it is asked");
  if (client_over_) limit(services_.limits.half_closed);
  request_repeatable_ = false;
  std::string joined = std::exchange(response_input_, {});
  if (!joined.empty()) bytes = joined.append(bytes);
  while (!passage_ && upstream_.stream) {
    const std::size_t before = bytes.size();
    bytes = take_response_head(bytes);
    if (bytes.size() == before) break;
  }
  if (passage_) bytes = pass_response_body(bytes);
  if (relay_) return relay_->pass_to_left(bytes), relay_->start();
  if (bytes.empty() || !upstream_.stream) return;
  if (state_ == State::kHead) return server_failed("it says more than it was asked");
  response_input_ = bytes;
}

std::string_view Http1::take_response_head(std::string_view bytes) {
  const auto length = http::head_length(bytes);
  if (length && !*length) return bytes;
  auto response = length ? http::parse_raw_response(bytes.substr(0, **length)) : fail(length.error());
  if (!response) {
    server_failed(response.error().what());
    return {};
  }
  bytes.remove_prefix(**length);
  pass_head(*response);
  return bytes;
}

void Http1::pass_head(const http::RawResponse& response) {
  auto passage = passage_of(request_, response);
  if (!passage) return server_failed(passage.error().what());
  entry_->answered(response.status);
  if (response.status == 101)
    return wants_websocket(request_) ? upgrade(std::move(passage->head)) : server_failed("an upgrade nobody asked for");
  if (response.status < 200) {
    std::erase_if(passage->head.headers, [](const auto& header) { return header.first == "Connection"; });
    if (!request_.is_1_0) client_->send(http::render(passage->head));
    if (client_->queued() > kHighWater) upstream_.stream->pause();
    return;
  }
  client_->send(http::render(passage->head));
  passage_ = std::move(*passage);
}

std::string_view Http1::pass_response_body(std::string_view bytes) {
  while (!passage_->body.done()) {
    const auto step = passage_->body.step(bytes);
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
  client_->send(passage_->chunked ? std::string_view(http::chunk(data)) : data);
  if (client_->queued() > kHighWater) upstream_.stream->pause();
}

void Http1::client_drained() {
  if (state_ == State::kClosing) return client_over_ ? finish() : limit(services_.limits.last_words);
  if (upstream_.stream) upstream_.stream->resume();
}

void Http1::response_done() {
  const Passage passage = std::move(*std::exchange(passage_, std::nullopt));
  if (passage.chunked) client_->send(http::last_chunk(passage.body.trailers()));
  entry_.reset();
  const bool asked = state_ == State::kSent;  // all of it
  reused_ = true;
  if (!asked || !passage.server_stays) upstream_ = {};
  if (!asked || !passage.client_stays) return close();
  await_head();
}

void Http1::server_ended() {
  const bool cut_off = upstream_.tls != nullptr && upstream_.tls->truncated();
  if (passage_ && passage_->body.ends_by_close() && !cut_off) return response_done();
  server_failed("it closed the connection");
}

void Http1::server_failed(const std::string& why) {
  if (state_ == State::kHead || state_ == State::kClosing) {
    upstream_ = {};
    return;
  }
  if (passage_) return break_off(why);
  if (try_again()) return;
  if (entry_) entry_->failed(why);
  answer({502, sbx::format("No answer from {}: {}\n", destination_->target.text(), why), {}});
}

// A server may close a connection that it has kept open, just when the next request is on its way. Only what has no
// body and changes nothing is asked again.
bool Http1::try_again() {
  if (!reused_ || !request_repeatable_ || state_ != State::kSent) return false;
  upstream_ = {};
  reach_server();
  return true;
}

void Http1::upgrade(http::RawResponse head) {
  std::erase_if(head.headers, [](const auto& header) { return header.first == "Connection"; });
  head.headers.emplace_back("Connection", "Upgrade");
  head.headers.emplace_back("Upgrade", "websocket");
  client_->send(http::render(head));
  state_ = State::kRelay;
  relay_ = std::make_unique<streams::Relay>(std::move(client_), std::move(upstream_.stream), [this] {
    entry_->counted(relay_->to_right(), relay_->to_left());
    finish();
  });
  relay_->pass_to_right(std::exchange(input_, {}));
}

// The end.

void Http1::refuse(const policy::Verdict& verdict) {
  entry_ =
      std::make_unique<Entry>(services_, destination_->target, verdict, Entry::What{request_.method, request_.target});
  answer({403, policy::explanation(destination_->target, verdict, {services_.sandbox}), {}});
}

// What is not understood is nobody's business to pass on. It is logged with whom it was meant for, as far as we know.
void Http1::reject(int status, const std::string& why) {
  const policy::Target& target = destination_ ? destination_->target : origin_ ? origin_->target : services_.self;
  entry_ =
      std::make_unique<Entry>(services_, target, policy::malformed(why), Entry::What{request_.method, request_.target});
  answer({status, why + "\n", {}});
}

void Http1::head_late() { reject(408, "the head of the request did not come in time"); }

void Http1::answer(const Answer& answer) {
  if (passage_) return break_off("broken off");
  if (entry_) entry_->answered(answer.status);
  client_->send(render_answer(answer, request_.method != "HEAD"));
  entry_.reset();
  close();
}

// In the middle of a response there is no way to say that it is not all.
void Http1::break_off(std::string_view why) {
  if (entry_) entry_->failed(why);
  finish();
}

// A client that still sends would lose our last words to a reset: it is heard out for a moment.
void Http1::close() {
  state_ = State::kClosing;
  connector_.reset();
  upstream_ = {};
  input_.clear();
  client_->finish();
  client_->resume();
  limit(client_->queued() == 0 ? services_.limits.last_words : services_.limits.idle);
  if (client_over_ && client_->queued() == 0) finish();
}

void Http1::finish() {
  no_limit();
  state_ = State::kClosing;  // what comes before we are destroyed is not looked at
  connector_.reset();
  upstream_ = {};
  entry_.reset();
  if (const OnDone done = std::exchange(on_done_, nullptr)) done();
}

void Http1::limit(std::chrono::milliseconds time, void (Http1::*then)()) {
  no_limit();
  timer_ = services_.loop.after(time, [this, then] {
    timer_.reset();
    (this->*then)();
  });
}

void Http1::no_limit() {
  if (timer_) services_.loop.cancel(*std::exchange(timer_, std::nullopt));
}

}  // namespace sbx::proxy
