// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "channel/link.h"
#include "loop/loop.h"
#include "streams/stream.h"
#include "wire/frame.h"

namespace sbx::channel {

// How many connections the other side may have open at once. The next one is answered with kReset.
inline constexpr std::size_t kMostConnections = 4096;

// Network connections over a link, the same at both of its ends: each is a Stream, and a kConnect or kAccept, kData,
// kEnd, kReset and kCredit on the wire. It borrows the link, which also carries other things: its owner passes on the
// frames that are for connections, and says when the link has drained.
//
// A stream holds at most a window of what has arrived and was not taken, because it is paused or has no listener yet.
// It counts as queued what the window or a link with enough to do does not take. That the other side has reset the
// connection is told at once, also while paused. A stream may outlive all of this, and is mute from then on.
class Connections {
 public:
  enum class Side { kHost, kGuest };
  // The other side has opened a connection and asks for this (the JSON of kConnect or kAccept). An error is passed on
  // by take(). To refuse, destroy the stream.
  using OnOpened = std::function<Result<>(std::string_view request, std::unique_ptr<streams::Stream> stream)>;

  Connections(loop::Loop& loop, Link& link, Side ours, OnOpened on_opened);
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  // The number has never been used and is higher than the one before.
  std::unique_ptr<streams::Stream> open(std::uint32_t number, std::string_view request);

  // A frame whose stream is none of the caller's own. An error is a breach of the protocol; frames that cross a kReset
  // of ours are none.
  Result<> take(const wire::Header& header, std::string_view payload);
  void link_drained();
  // The link is lost, and with it every connection. Not from inside take().
  void end(const Error& why);

 private:
  class Connection;

  std::unique_ptr<Connection> add(std::uint32_t number, bool theirs);
  void remove(std::uint32_t number, bool theirs);
  Connection* find(std::uint32_t number) const;  // null: not open, or over
  Result<> take_opening(std::uint32_t number, std::string_view request);
  Result<> take_late(const wire::Header& header) const;
  bool is_theirs(std::uint32_t number) const;
  // The link has enough to do: whatever else it carries should not wait for longer.
  bool is_busy() const;

  loop::Loop& loop_;
  Link& link_;
  const Side ours_;
  OnOpened on_opened_;
  std::unordered_map<std::uint32_t, Connection*> living_;  // streams not destroyed yet, also those that are over
  std::deque<Connection*> waiting_;                        // for the link, in the order in which they came
  std::uint32_t highest_theirs_ = 0;
  std::uint32_t highest_ours_ = 0;
  std::size_t theirs_ = 0;  // living ones that the other side has opened
};

}  // namespace sbx::channel
