// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "base/error.h"

namespace sbx::streams {

// Above this many bytes queued for one side, the other side is not read.
inline constexpr std::size_t kHighWater = 256u << 10;

// One end of a byte stream in both directions, over a socket, over the channel, or inside TLS. Never blocks. Its
// owner may destroy it at any time, also from inside a call of its listener; that closes it at once, and what is
// queued is lost.
class Stream {
 public:
  class Listener {
   public:
    // Valid during the call only. Nothing comes before listen() and nothing while paused.
    virtual void received(std::string_view bytes) = 0;
    // EOF: the peer sends no more (half-close); sending goes on.
    virtual void ended() = 0;
    // Broken in both directions. The last call.
    virtual void failed(const Error& why) = 0;
    // What was queued has left.
    virtual void drained() = 0;

   protected:
    ~Listener() = default;
  };

  virtual ~Stream() = default;

  // From now on this one is told. Never tells from inside the call.
  virtual void listen(Listener& listener) = 0;
  // Queues what is not taken at once.
  virtual void send(std::string_view bytes) = 0;
  virtual std::size_t queued() const = 0;
  // Nothing more will be sent: the peer sees EOF after what is queued (half-close).
  virtual void finish() = 0;
  virtual void pause() = 0;
  virtual void resume() = 0;
};

}  // namespace sbx::streams
