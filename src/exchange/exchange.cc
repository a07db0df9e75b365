// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "exchange/exchange.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "base/socket.h"

namespace sbx::exchange {
namespace {

Failure broken_off() { return fail(Code::kUnavailable, "the daemon closed the connection in the middle of an answer"); }

// How many bytes came; 0 at EOF. A daemon that was killed before it had read all that we sent ends it
// with a reset.
Result<std::size_t> receive_some(const Fd& connection, std::string& into) {
  std::array<char, 16384> piece;
  for (;;) {
    const ssize_t n = ::recv(connection.get(), piece.data(), piece.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == ECONNRESET) return std::size_t{0};
    if (n < 0) return fail_errno("read the daemon's answer");
    into.append(piece.data(), static_cast<std::size_t>(n));
    return static_cast<std::size_t>(n);
  }
}

}  // namespace

Exchange::Exchange(Fd connection, http::Response response, std::string buffered)
    : connection_(std::move(connection)), response_(std::move(response)), buffer_(std::move(buffered)) {}

Result<std::optional<Exchange>> Exchange::begin(Fd connection, const http::Request& request) {
  // An answer may come before the request is read whole (413). Then sending fails, and what matters is the answer.
  (void)send_all(connection, http::render(request), "send a request to the daemon");
  return answer_on(std::move(connection));
}

Result<std::optional<Exchange>> Exchange::answer_on(Fd connection) {
  std::string bytes;
  for (;;) {
    TRY_ASSIGN(const auto length, http::head_length(bytes));
    if (length) {
      TRY_ASSIGN(http::Response response, http::parse_response_head(std::string_view(bytes).substr(0, *length)));
      Exchange exchange(std::move(connection), std::move(response), bytes.substr(*length));
      TRY(exchange.frame());
      return std::optional(std::move(exchange));
    }
    TRY_ASSIGN(const std::size_t n, receive_some(connection, bytes));
    if (n > 0) continue;
    return bytes.empty() ? std::optional<Exchange>() : Result<std::optional<Exchange>>(broken_off());
  }
}

Result<> Exchange::frame() {
  TRY_ASSIGN(const http::BodyLength length, http::body_length(response_.headers));
  if (length.chunked) body_ = http::BodyDecoder::chunked();
  if (length.bytes) body_ = http::BodyDecoder::of_length(*length.bytes);
  return Ok{};
}

Result<std::string> Exchange::next_piece() {
  while (!body_.done()) {
    TRY_ASSIGN(const auto step, body_.step(buffer_));
    std::string piece(step.data);
    buffer_.erase(0, step.consumed);
    if (!piece.empty()) return piece;
    if (step.consumed > 0) continue;
    TRY_ASSIGN(const std::size_t n, receive_some(connection_, buffer_));
    if (n == 0) return body_.ends_by_close() ? std::string() : Result<std::string>(broken_off());
  }
  return std::string();
}

Result<std::string> Exchange::whole_body(std::size_t limit) {
  std::string body;
  for (;;) {
    TRY_ASSIGN(const std::string piece, next_piece());
    if (piece.empty()) return body;
    body += piece;
    if (body.size() > limit) return fail(Code::kTooLarge, "the daemon's answer is larger than expected");
  }
}

Upgraded Exchange::upgrade() && { return Upgraded{std::move(connection_), std::move(buffer_)}; }

}  // namespace sbx::exchange
