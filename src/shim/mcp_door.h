// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "shim/visitors.h"
#include "streams/stream.h"
#include "wire/mcp.h"

namespace sbx::shim {

// Programs of the guest's that want to speak with an MCP server. Each waits until the daemon has brought it the other
// end of a line to that server's sandbox: this process can open nothing. Bytes are relayed both ways, unread.
//
// SECURITY: only servers that the sandbox was granted when it started are asked for, and were not taken back since. The
// daemon, which knows us by our connection, asks its record again.
class McpDoor {
 public:
  using OnWanted = std::function<void(const wire::McpWanted& wanted)>;
  static constexpr std::size_t kMostWaiting = 16;
  static constexpr std::size_t kMostServed = 64;

  McpDoor(loop::Loop& loop, std::vector<std::string> granted, OnWanted on_wanted)
      : loop_(loop), granted_(std::move(granted)), on_wanted_(std::move(on_wanted)), lifeline_(loop) {}

  // One that is not granted, or is too many, is closed; so is one for which no end is brought in a minute.
  void serve(const std::string& server, std::unique_ptr<streams::Stream> program);
  // kNotFound: it waits no more.
  Result<> connect(const wire::McpWanted& wanted, Fd server);
  // From now on, until the next start: those who speak with it or wait for it are cut off. One that is brought late, by
  // a daemon that asked the record before it was changed, finds no one who waits. Not from inside a stream's callback.
  void revoke(const std::string& server);
  // Those that wait, for a daemon that came after they did.
  std::vector<wire::McpWanted> waiting() const;

 private:
  struct Waiting {
    std::string server;
    std::unique_ptr<streams::Stream> program;
  };

  std::size_t served() const;

  loop::Loop& loop_;
  std::vector<std::string> granted_;
  const OnWanted on_wanted_;
  std::map<std::int64_t, Waiting> waiting_;  // by ticket
  std::int64_t next_ = 1;
  std::map<std::string, Visitors> visitors_;  // by server
  loop::Lifeline lifeline_;
};

}  // namespace sbx::shim
