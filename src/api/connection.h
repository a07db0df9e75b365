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
#include "http/body.h"
#include "http/message.h"

namespace sbx::api {

inline constexpr std::size_t kLargestBody = 1u << 20;

struct Patience {
  std::chrono::milliseconds idle = std::chrono::seconds(60);  // between requests
  std::chrono::milliseconds request =
      std::chrono::seconds(10);  // for a head or a body to arrive, from its first byte on
};

// How a handler gets the body of a request.
enum class Body {
  kWhole,     // in the request, with a Content-Length, at most kLargestBody
  kInPieces,  // by Connection::next_piece(), of any size; the connection ends with the answer
};

// One client's connection: whole requests come out, bytes go in. Blocking, with a limit on everything: a client that is
// slow to send gets kTimeout, one that does not read is given up.
class Connection {
 public:
  Connection(Fd socket, Patience patience);

  // Nothing: the client is done. kInvalid, kTooLarge or kTimeout: answer that and close.
  // `body_for` is asked once the head is read.
  Result<std::optional<http::Request>> next_request(Body (*body_for)(const http::Request& request));

  // Of a body kInPieces: the next bytes; none at its end. kInvalid: it breaks off.
  Result<std::string> next_piece();

  // The descriptor that came with the request, once; nothing without one. Of several the others are closed.
  std::optional<Fd> take_descriptor();

  Result<> send(std::string_view bytes);
  bool hung_up() const;

  // After an answer to a request of which not all was read: ends our side, and takes what the client still sends, for a
  // while. Closed at once, its send() would fail with EPIPE before it has read the answer.
  void linger();

  // Whether the client has already sent more than it was asked for.
  bool has_unread_bytes() const { return !buffer_.empty(); }
  // Before the connection is handed over: without our time limits.
  Result<> release_limits();
  const Fd& socket() const { return socket_; }

 private:
  Result<std::optional<std::size_t>> read_head();
  Result<> read_body(http::Request& request);
  Result<> begin_pieces(const http::Request& request);
  Result<std::size_t> fill(SteadyTime deadline);  // 0: the client has closed

  Fd socket_;
  Patience patience_;
  std::string buffer_;  // received, not yet part of a request
  std::optional<Fd> descriptor_;
  http::BodyDecoder pieces_ = http::BodyDecoder::none();
  bool awaits_continue_ = false;  // the client sends the pieces when it is told to
};

}  // namespace sbx::api
