// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "channel/buffer.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "wire/frame.h"

namespace sbx::channel {

// What a link keeps for a peer that does not read. Those who send bulk data hold back long before (queued()), so only a
// peer that provokes answers and reads none comes here.
inline constexpr std::size_t kMostUnread = 64u << 20;

// One end of a frame stream over a stream socket, a virtio-serial port or a client's connection. It knows frames and
// nothing of what they mean. Never blocks: what the descriptor does not take is queued, and queued() says how much, so
// that the producer of bytes can hold back (backpressure). A frame of any kind that would make it more than
// kMostUnread closes the link with an error.
//   Link link(loop, std::move(socket), [&](const wire::Header& header, std::string_view payload) { ... }, on_close);
//   link.send(wire::Kind::kData, stream, bytes);
class Link {
 public:
  // The payload is valid during the call only.
  using OnFrame = std::function<void(const wire::Header& header, std::string_view payload)>;
  // Called once, when the other side has closed (no error) or broken the rules (an error). No frame comes after it.
  using OnClose = std::function<void(Result<> why)>;
  using OnDrained = std::function<void()>;

  Link(loop::Loop& loop, Fd fd, OnFrame on_frame, OnClose on_close);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  // While it lives, what is sent is kept; then it leaves together. Each write to a virtual machine's channel costs what
  // a small program costs.
  class Together {
   public:
    explicit Together(Link& link) : link_(link) { ++link_.held_; }
    ~Together() { link_.let_go(); }
    Together(const Together&) = delete;
    Together& operator=(const Together&) = delete;

   private:
    Link& link_;
  };

  void send(wire::Kind kind, std::uint32_t stream, std::string_view payload = {});
  std::size_t queued() const { return queued_; }
  // Called each time the queue has become empty after it was not.
  void when_drained(OnDrained handler) { on_drained_ = std::move(handler); }

  // Stop and go on reading: backpressure towards the peer through the socket.
  void pause();
  void resume();

  const Fd& fd() const { return fd_; }

 private:
  void ready(std::uint32_t events);
  void read_some();
  void take_frames();
  void write_some();
  ssize_t write_frame(const std::array<char, wire::kHeaderSize>& header, std::string_view payload) const;
  ssize_t write_pieces() const;
  void written(std::size_t size);
  void stop_writing();
  void overflow();
  void let_go();
  void close(Result<> why);
  void update_interest();

  loop::Loop& loop_;
  Fd fd_;
  OnFrame on_frame_;
  OnClose on_close_;
  OnDrained on_drained_;
  Buffer input_;  // bytes received, frames not yet complete
  std::deque<std::string> output_;
  std::size_t output_offset_ = 0;
  std::size_t queued_ = 0;
  int held_ = 0;
  bool paused_ = false;
  bool deaf_ = false;  // the other side reads no more
  bool closed_ = false;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::channel
