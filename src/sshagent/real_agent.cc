// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/real_agent.h"

#include <utility>

#include "streams/socket_stream.h"

namespace sbx::sshagent {
namespace {

constexpr auto kAnswerLimit = std::chrono::minutes(2);

}  // namespace

RealAgent::RealAgent(loop::Loop& loop, Fd socket, std::function<void()> on_end)
    : loop_(loop),
      on_end_(std::move(on_end)),
      stream_(std::make_unique<streams::SocketStream>(loop, std::move(socket))) {
  stream_->listen(*this);
}

void RealAgent::list(OnKeys done) {
  ask(encode(ListKeys{}), [done = std::move(done)](std::string_view message) { done(parse_keys(message)); });
}

void RealAgent::sign(const Sign& sign, OnSignature done) {
  ask(encode(sign), [done = std::move(done)](std::string_view message) { done(parse_signature(message)); });
}

void RealAgent::ask(const std::string& message, OnAnswer done) {
  if (!on_end_) return done({});
  asked_.push_back(std::move(done));
  if (asked_.size() == 1) watch_the_clock();
  stream_->send(framed(message));
}

void RealAgent::watch_the_clock() {
  limit_.cancel();
  if (!asked_.empty()) limit_ = loop_.after(kAnswerLimit, [this] { end(); });
}

// What comes unasked is nonsense.
void RealAgent::received(std::string_view bytes) {
  reader_.add(bytes);
  while (const auto message = reader_.next()) {
    if (asked_.empty()) return end();
    const OnAnswer done = std::move(asked_.front());
    asked_.pop_front();
    watch_the_clock();
    done(*message);
  }
  if (reader_.is_broken()) end();
}

void RealAgent::end() {
  const auto on_end = std::exchange(on_end_, nullptr);
  if (!on_end) return;
  limit_.cancel();
  for (const OnAnswer& done : std::exchange(asked_, {})) done({});
  on_end();
}

}  // namespace sbx::sshagent
