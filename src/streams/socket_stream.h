// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "streams/stream.h"

namespace sbx::streams {

// A connected stream socket, or a pair of them, on the loop. Reads through the stack, so that a connection that waits
// holds no memory.
class SocketStream : public Stream {
 public:
  enum class End {
    kClose,
    kShutDown,  // first, because the gate has a copy of the socket
  };
  // The socket must not block.
  SocketStream(loop::Loop& loop, Fd socket, End end = End::kClose);
  ~SocketStream() override;

  void listen(Listener& listener) override;
  void send(std::string_view bytes) override;
  std::size_t queued() const override { return queue_.size() - sent_; }
  void finish() override;
  void pause() override;
  void resume() override;

 private:
  void ready(std::uint32_t events);
  void read_some();
  void write_some();
  void fail_later(const char* doing);
  void fail_now(const Error& why);
  void shut_down_if_done();
  void update_interest();

  loop::Loop& loop_;
  Fd socket_;
  End end_;
  Listener* listener_ = nullptr;
  std::string queue_;
  std::size_t sent_ = 0;  // of the queue
  bool paused_ = false;
  bool ended_ = false;      // the peer sends no more
  bool finishing_ = false;  // finish() was called
  bool shut_down_ = false;
  bool broken_ = false;
  bool watched_ = false;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::streams
