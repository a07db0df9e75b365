// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/socket.h"
#include "loop/loop.h"

namespace sbx::loop {

// A control socket on the loop: shim.sock, network.sock. Each connection brings one request message (base/socket.h) and
// gets one answer, or any number of messages if it is kept. Nothing here blocks: a request may arrive byte by byte, and
// an asker may read its answer when it likes, within limits. It is dropped when it
//   - has not sent its whole request, or not taken its whole answer, in Limits::patience;
//   - sends a message that is too large, more descriptors than a message holds, or anything after its request;
//   - does not read, and more than Limits::unread bytes wait for it.
//
//   MessageServer server(loop, std::move(listener), ::getuid(), {}, [&](MessageServer::Asker asker, Message request) {
//     server.answer(asker, reply_to(request.body));  // now, or at any time later
//   });
class MessageServer {
 public:
  // One connection. The number is never used again, so it may be kept for as long as one likes: an answer to an asker
  // that has left is dropped.
  using Asker = std::uint64_t;
  using OnRequest = std::function<void(Asker asker, Message request)>;

  struct Limits {
    std::size_t askers = 64;  // at once; others wait in the listener's queue
    std::chrono::milliseconds patience{2000};
    std::size_t unread = 1u << 20;
  };

  // Only `owner` and root are heard.
  MessageServer(Loop& loop, Fd listener, uid_t owner, const Limits& limits, OnRequest on_request);
  ~MessageServer();
  MessageServer(const MessageServer&) = delete;
  MessageServer& operator=(const MessageServer&) = delete;

  // The last message; the connection is closed when it has been sent.
  void answer(Asker asker, std::string_view body);
  // One of several. False: the asker has left, or has just been dropped because it does not read.
  bool tell(Asker asker, std::string_view body);

  bool has_unsent() const;
  // Called when a connection has closed or everything that waited for it was sent.
  void when_sent(std::function<void()> handler) { on_sent_ = std::move(handler); }

 private:
  struct Connection {
    Fd socket;
    std::string input = {};
    std::vector<Fd> fds = {};
    std::string output = {};
    bool asked = false;  // its request is complete
    bool ended = false;  // it sends no more (half-close)
    bool last = false;   // close when the output has been sent
    Loop::Timer limit = {};
  };

  void accept();
  void listen_again();
  void rest();
  void ready(Asker asker, std::uint32_t events);
  void read_request(Asker asker, Connection& connection);
  void expect_no_more(Asker asker, Connection& connection, bool hung_up);
  bool write_some(Asker asker, Connection& connection);
  void limit(Asker asker, Connection& connection);
  void update_interest(const Connection& connection);
  void drop(Asker asker);

  Loop& loop_;
  Fd listener_;
  uid_t owner_;
  Limits limits_;
  OnRequest on_request_;
  std::function<void()> on_sent_;
  std::map<Asker, Connection> connections_;
  Loop::Timer resting_;  // the process has no descriptor left for another connection
  Asker next_ = 1;
};

}  // namespace sbx::loop
