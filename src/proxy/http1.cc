// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http1.h"

#include <utility>

#include "base/format.h"
#include "http/message.h"

namespace sbx::proxy {
namespace {

std::string render_answer(const Answer& answer, bool with_body) {
  return sbx::format(
      "HTTP/1.1 {} {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
      answer.status, http::reason(answer.status), answer.text.size(), with_body ? answer.text : "");
}

}  // namespace

Http1::Http1(ProxyServices& services, Inputs inputs)
    : services_(services),
      is_forward_(!inputs.origin),
      answer_(std::move(inputs.answer)),
      on_done_(std::move(inputs.on_done)),
      on_connect_(std::move(inputs.on_connect)),
      client_(std::move(inputs.client)),
      upstream_(std::move(inputs.upstream)),
      input_(std::move(inputs.first)),
      lifeline_(services.loop) {
  if (inputs.origin) standing_.emplace(std::move(*inputs.origin));
  client_->listen(client_side_);
  if (upstream_) upstream_->stream->listen(server_side_);
  await_head();
}

Http1::~Http1() = default;

bool Http1::offends(const policy::Policy& policy) const {
  if (state_ == State::kCached) return !policy.at_connect(target()).allowed();
  return upstream_ && (!verdict_on(*upstream_, policy).allowed() || bypasses_vault(*upstream_, services_));
}

void Http1::log(const policy::Target& target, const policy::Verdict& verdict) {
  entry_ =
      std::make_unique<LogLine>(services_, target, verdict, LogLine::What{request_.head.method, request_.head.path});
}

void Http1::refuse(const policy::Verdict& verdict) {
  if (verdict.reason == policy::Reason::kMalformed) return reject(400, verdict.detail);
  log(target(), verdict);
  answer(refusal_of(target(), verdict, services_.sandbox));
}

// The vault has said so, in the middle of a connection.
void Http1::refuse_credential(std::string why) {
  refuse({policy::Decision::kDeny, policy::Reason::kCredential, "<credential " + upstream_->bound->credential() + ">",
          std::move(why)});
}

void Http1::refuse_other_protocol() {
  const bool refused = answer_ && answer_->refusal;
  refuse(refused ? *answer_->refusal : services_.policy->at_other_inside(target()));
}

// What is not understood is not passed on. To a forward proxy it may have been for any host.
void Http1::reject(int status, const std::string& why) {
  log(is_forward_ ? services_.self : target(), policy::malformed(why));
  answer({status, why + "\n"});
}

void Http1::head_late() { reject(408, "the head of the request did not come in time"); }

void Http1::answer(const Answer& answer) {
  if (response_ || state_ == State::kCached) return break_off("broken off");
  if (entry_) entry_->answered(answer.status);
  client_->send(render_answer(answer, request_.head.method != "HEAD"));
  entry_.reset();
  answer_.reset();
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
  upstream_.reset();
  pull_.reset();
  input_.clear();
  client_->finish();
  client_->resume();
  limit(client_->queued() == 0 ? services_.limits.last_words : services_.limits.idle);
  if (client_over_ && client_->queued() == 0) finish();
}

void Http1::finish() {
  timer_.cancel();
  state_ = State::kClosing;  // what comes before we are destroyed is not looked at
  connector_.reset();
  upstream_.reset();
  pull_.reset();
  entry_.reset();
  // A refusal is logged also if the client has never asked for anything.
  if (const auto unheard = std::exchange(answer_, std::nullopt); unheard && unheard->refusal)
    const LogLine entry(services_, target(), *unheard->refusal, {});
  if (const OnDone done = std::exchange(on_done_, nullptr)) done();
}

void Http1::limit(std::chrono::milliseconds time, void (Http1::*then)()) {
  timer_ = services_.loop.after(time, [this, then] { (this->*then)(); });
}

}  // namespace sbx::proxy
