// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>

#include "base/fd.h"
#include "loop/loop.h"
#include "streams/relay.h"
#include "streams/stream.h"

namespace sbx::shim {

// Clients on the host that are connected to a server in the guest: by a published port, by docker.sock, or as MCP
// servers to a client there. Bytes go both ways, unread, and each half is closed when the other side has closed it.
class Visitors {
 public:
  explicit Visitors(loop::Loop& loop) : loop_(loop) {}

  // A guest that accepts and never reads must not cost more than this.
  static constexpr std::size_t kMost = 1024;
  std::size_t count() const { return relays_.size(); }
  bool full() const { return count() >= kMost; }

  // `guest`: the connection to the server. One too many is closed.
  void add(Fd client, std::unique_ptr<streams::Stream> guest);

 private:
  loop::Loop& loop_;
  std::list<std::unique_ptr<streams::Relay>> relays_;
};

}  // namespace sbx::shim
