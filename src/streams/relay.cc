// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "streams/relay.h"

#include <utility>

namespace sbx::streams {

Relay::Relay(std::unique_ptr<Stream> left, std::unique_ptr<Stream> right, OnDone on_done)
    : on_done_(std::move(on_done)), left_(*this, std::move(left)), right_(*this, std::move(right)) {
  left_.other = &right_;
  right_.other = &left_;
}

void Relay::start() {
  for (Side* side : {&left_, &right_}) {
    side->stream->listen(*side);
    side->stream->resume();
  }
}

void Relay::Side::take(std::string_view bytes) {
  taken += bytes.size();
  stream->send(bytes);
}

void Relay::Side::received(std::string_view bytes) {
  other->take(bytes);
  if (other->stream->queued() > kHighWater) stream->pause();
}

void Relay::Side::drained() {
  other->stream->resume();
  relay.finish_if_over();
}

void Relay::Side::ended() {
  over = true;
  other->stream->finish();
  relay.finish_if_over();
}

void Relay::Side::failed(const Error&) { relay.finish(); }

void Relay::finish_if_over() {
  if (left_.over && right_.over && left_.stream->queued() == 0 && right_.stream->queued() == 0) finish();
}

// The function lives in us, and may destroy us.
void Relay::finish() {
  if (const OnDone done = std::exchange(on_done_, nullptr)) done();
}

}  // namespace sbx::streams
