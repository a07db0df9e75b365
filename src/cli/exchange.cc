// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/exchange.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace sbx::cli {
namespace {

constexpr std::size_t kLongestLine = 4096;

Failure broken_off() { return fail(Code::kUnavailable, "the daemon closed the connection in the middle of an answer"); }

// False: the other side reads no more.
Result<bool> send_request(const Fd& connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(connection.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EPIPE || errno == ECONNRESET)) return false;
    if (n < 0) return fail_errno("send a request to the daemon");
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// How many bytes came; 0 at the end of the stream. A daemon that was killed before it had read all that we sent ends it
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
  // An answer may come before the request is read whole (413): what matters then is the answer.
  const Result<bool> sent = send_request(connection, http::render(request));
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
    TRY(sent);
    return bytes.empty() ? std::optional<Exchange>() : Result<std::optional<Exchange>>(broken_off());
  }
}

Result<> Exchange::frame() {
  TRY_ASSIGN(const http::BodyLength length, http::body_length(response_.headers));
  if (length.chunked) framing_ = Framing::kChunked;
  if (length.bytes) framing_ = Framing::kSized;
  left_ = length.bytes.value_or(0);
  return Ok{};
}

Result<bool> Exchange::read_more() {
  TRY_ASSIGN(const std::size_t n, receive_some(connection_, buffer_));
  return n > 0;
}

Result<std::string> Exchange::next_piece() {
  if (framing_ == Framing::kChunked) return take_chunk();
  if (framing_ == Framing::kSized && left_ == 0) return std::string();
  if (buffer_.empty()) {
    TRY_ASSIGN(const bool more, read_more());
    if (!more) return framing_ == Framing::kSized ? Result<std::string>(broken_off()) : std::string();
  }
  std::string piece = std::exchange(buffer_, {});
  if (framing_ == Framing::kSized && piece.size() > left_) piece.resize(left_);
  if (framing_ == Framing::kSized) left_ -= piece.size();
  return piece;
}

Result<std::optional<std::string>> Exchange::take_line() {
  for (;;) {
    const std::size_t end = buffer_.find("\r\n");
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 2);
      return std::optional<std::string>(std::move(line));
    }
    if (buffer_.size() > kLongestLine) return fail(Code::kInternal, "the daemon's answer is not HTTP");
    TRY_ASSIGN(const bool more, read_more());
    if (!more) return std::optional<std::string>();
  }
}

Result<> Exchange::skip_trailers() {
  for (;;) {
    TRY_ASSIGN(const auto line, take_line());
    if (!line || line->empty()) return Ok{};
  }
}

Result<std::string> Exchange::take_chunk() {
  if (done_) return std::string();
  if (left_ == 0) {
    TRY_ASSIGN(const auto line, take_line());
    if (!line) return broken_off();
    const auto parsed = std::from_chars(line->data(), line->data() + line->size(), left_, 16);
    if (parsed.ec != std::errc() || parsed.ptr == line->data())
      return fail(Code::kInternal, "bad chunk from the daemon");
    done_ = left_ == 0;
    if (done_) {
      TRY(skip_trailers());
      return std::string();
    }
  }
  if (buffer_.empty()) {
    TRY_ASSIGN(const bool more, read_more());
    if (!more) return broken_off();
  }
  std::string piece = buffer_.substr(0, left_);
  buffer_.erase(0, piece.size());
  left_ -= piece.size();
  if (left_ == 0) TRY(take_line());
  return piece;
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

}  // namespace sbx::cli
