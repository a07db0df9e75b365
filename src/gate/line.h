// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "loop/loop.h"

namespace sbx::gate {

inline constexpr std::size_t kLargestPacket = 64u << 10;

Result<SocketPair> make_line();  // a socket for each end

// One end of the line between a shim and its gate: packets, each whole or not at all and with one descriptor at most.
// Never blocks: what the socket does not take is queued, and queued() says how much. Not to be destroyed from inside
// its own handlers.
class Line {
 public:
  // The bytes are valid during the call only. A descriptor for which the process has no room is not there.
  using OnPacket = std::function<void(std::string_view bytes, Fd attached)>;
  // The other side is gone, or has sent what is no packet. Once; no packet comes after it.
  using OnEnd = std::function<void()>;

  Line(loop::Loop& loop, Fd socket, OnPacket on_packet, OnEnd on_end);
  ~Line();
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void send(std::string bytes, Fd attached = {});
  std::size_t queued() const { return queued_; }  // bytes, packets counted as a few hundred more

  // Reads nothing while this much is queued: a peer that does not read its answers is not heard (backpressure).
  void hold_back_above(std::size_t queued) { limit_ = queued; }

 private:
  struct Packet {
    std::string bytes;
    Fd attached;
  };
  enum class Sent { kYes, kNotNow, kLater, kNever };

  void ready(std::uint32_t events);
  bool read_one();
  void write_some();
  void rest();
  static Sent send_now(const Fd& socket, const Packet& packet);
  void update_interest();
  void end();

  loop::Loop& loop_;
  Fd socket_;
  OnPacket on_packet_;
  OnEnd on_end_;
  std::deque<Packet> queue_;
  std::size_t queued_ = 0;
  std::size_t limit_ = SIZE_MAX;
  loop::Loop::Timer resting_;  // the system has too many descriptors under way
  bool ended_ = false;
};

// One packet without a loop, for the start: waits as long as the socket's timeout lets it.
Result<std::string> receive_packet(const Fd& socket);
Result<> send_packet(const Fd& socket, std::string_view bytes);

}  // namespace sbx::gate
