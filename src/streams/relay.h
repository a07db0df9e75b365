// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "streams/stream.h"

namespace sbx::streams {

// Passes bytes between two streams, both ways, until both have ended or one has failed. A half-close
// is passed on as one. The slower side is not outrun (backpressure).
//   Relay relay(std::move(client), std::move(server), [&] { drop(number); });
//   relay.start();
class Relay {
 public:
  // Called once; the relay may be destroyed in it.
  using OnDone = std::function<void()>;

  Relay(std::unique_ptr<Stream> left, std::unique_ptr<Stream> right, OnDone on_done);
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  // What was read ahead of the relay, before it starts.
  void pass_to_right(std::string_view bytes) { right_.take(bytes); }
  void pass_to_left(std::string_view bytes) { left_.take(bytes); }
  void start();
  // For a left side whose end was seen ahead of the relay. After start().
  void end_left() { left_.ended(); }

  std::uint64_t to_left() const { return left_.taken; }
  std::uint64_t to_right() const { return right_.taken; }

 private:
  struct Side final : Stream::Listener {
    Side(Relay& owner, std::unique_ptr<Stream> end) : relay(owner), stream(std::move(end)) {}

    void take(std::string_view bytes);
    void received(std::string_view bytes) override;
    void ended() override;
    void failed(const Error& why) override;
    void drained() override;

    Relay& relay;
    std::unique_ptr<Stream> stream;
    Side* other = nullptr;
    std::uint64_t taken = 0;
    bool over = false;
  };

  void finish_if_over();
  void finish();

  OnDone on_done_;
  Side left_;
  Side right_;
};

}  // namespace sbx::streams
