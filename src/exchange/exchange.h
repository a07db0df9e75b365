// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "http/body.h"
#include "http/message.h"

namespace sbx::exchange {

// A connection that has left HTTP behind, and what was already read of the protocol that follows.
struct Upgraded {
  Fd connection;
  std::string early;
};

// One request and its response on a connection of their own. Blocking.
class Exchange {
 public:
  // Sends the request and waits for the response's head. Nothing: the connection ended before the first byte of one.
  static Result<std::optional<Exchange>> begin(Fd connection, const http::Request& request);
  // The same where the request has gone another way.
  static Result<std::optional<Exchange>> answer_on(Fd connection);

  const http::Response& response() const { return response_; }
  // The next piece of the body, as it comes; empty at its end. One that breaks off is an error: kUnavailable, and
  // nothing else is.
  Result<std::string> next_piece();
  Result<std::string> whole_body(std::size_t limit);
  Upgraded upgrade() &&;

 private:
  Exchange(Fd connection, http::Response response, std::string buffered);
  Result<> frame();

  Fd connection_;
  http::Response response_;
  std::string buffer_;
  http::BodyDecoder body_ = http::BodyDecoder::until_close();
};

}  // namespace sbx::exchange
