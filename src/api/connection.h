// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "http/message.h"

namespace sbx::api {

inline constexpr std::size_t kLargestBody = 1u << 20;

struct Patience {
  std::chrono::milliseconds idle = std::chrono::seconds(60);  // between requests
  std::chrono::milliseconds request =
      std::chrono::seconds(10);  // for a head or a body to arrive, from its first byte on
};

// One client's connection: whole requests come out, bytes go in. Blocking, with a limit on everything: a client that is
// slow to send gets kTimeout, one that does not read is given up.
class Connection {
 public:
  Connection(Fd socket, Patience patience);

  // Nothing: the client is done. kInvalid, kTooLarge or kTimeout: answer that and close.
  Result<std::optional<http::Request>> next_request();

  Result<> send(std::string_view bytes);
  bool hung_up() const;

  // Whether the client has already sent more than it was asked for.
  bool has_unread_bytes() const { return !buffer_.empty(); }
  // For somebody else's hands: without our time limits.
  Result<> release_limits();
  const Fd& socket() const { return socket_; }

 private:
  Result<std::optional<std::size_t>> read_head();
  Result<> read_body(http::Request& request);
  Result<std::size_t> fill(SteadyTime deadline);  // 0: the client has closed

  Fd socket_;
  Patience patience_;
  std::string buffer_;  // received, not yet part of a request
};

}  // namespace sbx::api
