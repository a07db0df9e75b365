// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "http/message.h"

namespace sbx::cli {

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

  const http::Response& response() const { return response_; }
  // The next piece of the body, as it comes; empty at its end. One that breaks off is an error: kUnavailable, and
  // nothing else is.
  Result<std::string> next_piece();
  Result<std::string> whole_body(std::size_t limit);
  Upgraded upgrade() &&;

 private:
  enum class Framing { kSized, kChunked, kToTheEnd };

  Exchange(Fd connection, http::Response response, std::string buffered);
  Result<> frame();
  Result<bool> read_more();
  Result<std::string> take_chunk();
  Result<std::optional<std::string>> take_line();
  Result<> skip_trailers();

  Fd connection_;
  http::Response response_;
  std::string buffer_;
  Framing framing_ = Framing::kToTheEnd;
  std::size_t left_ = 0;  // of the body, or of the current chunk
  bool done_ = false;
};

}  // namespace sbx::cli
