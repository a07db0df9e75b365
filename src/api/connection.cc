// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/poll.h"
#include "base/socket.h"

namespace sbx::api {

using std::chrono::milliseconds;

namespace {
constexpr milliseconds kLingering{1000};  // of silence
}

Connection::Connection(Fd socket, Patience patience) : socket_(std::move(socket)), patience_(patience) {
  // Reading has deadlines of its own; this one is for a client that does not take what we send.
  (void)set_timeouts(socket_, patience_.request);
}

Result<std::size_t> Connection::fill(SteadyTime deadline) {
  TRY_ASSIGN(const bool ready, wait_readable(socket_, deadline));
  if (!ready || steady_now() > deadline) return fail(Code::kTimeout, "the request did not arrive in time");
  std::array<char, 16384> chunk;
  std::vector<Fd> descriptors;
  auto n = receive_some(socket_, chunk, descriptors);
  if (!n) return fail(std::move(n).error().within("read a request"));
  if (!descriptors.empty() && !descriptor_) descriptor_ = std::move(descriptors.front());
  buffer_.append(chunk.data(), *n);
  return *n;
}

// The length of the head in the buffer. Nothing: the client closed, or was silent for too long, between requests.
Result<std::optional<std::size_t>> Connection::read_head() {
  if (buffer_.empty()) {
    const auto first = fill(steady_now() + patience_.idle);
    if (!first || *first == 0) return std::optional<std::size_t>();
  }
  const SteadyTime deadline = steady_now() + patience_.request;
  for (;;) {
    TRY_ASSIGN(const auto length, http::head_length(buffer_));
    if (length) return length;
    TRY_ASSIGN(const std::size_t n, fill(deadline));
    if (n == 0) return fail(Code::kInvalid, "the request ends in the middle of its head");
  }
}

Result<> Connection::read_body(http::Request& request) {
  TRY_ASSIGN(const auto length, http::body_length(request.headers));
  if (length.chunked) return fail(Code::kInvalid, "a request body needs a Content-Length");
  const std::size_t bytes = length.bytes.value_or(0);
  if (bytes > kLargestBody) return fail(Code::kTooLarge, "the request body is larger than 1 MiB");
  if (bytes > 0 && request.header("Expect")) TRY(send("HTTP/1.1 100 Continue\r\n\r\n"));
  const SteadyTime deadline = steady_now() + patience_.request;
  while (buffer_.size() < bytes) {
    TRY_ASSIGN(const std::size_t n, fill(deadline));
    if (n == 0) return fail(Code::kInvalid, "the request ends in the middle of its body");
  }
  request.body = buffer_.substr(0, bytes);
  buffer_.erase(0, bytes);
  return Ok{};
}

Result<> Connection::begin_pieces(const http::Request& request) {
  TRY_ASSIGN(const auto length, http::body_length(request.headers));
  pieces_ = length.chunked ? http::BodyDecoder::chunked() : http::BodyDecoder::of_length(length.bytes.value_or(0));
  awaits_continue_ = request.header("Expect").has_value();
  return Ok{};
}

// A client may be slow to make what it sends, so each piece has the time that there is between requests.
Result<std::string> Connection::next_piece() {
  if (std::exchange(awaits_continue_, false)) TRY(send("HTTP/1.1 100 Continue\r\n\r\n"));
  while (!pieces_.done()) {
    TRY_ASSIGN(const auto step, pieces_.step(buffer_));
    std::string piece(step.data);
    buffer_.erase(0, step.consumed);
    if (!piece.empty()) return piece;
    if (step.consumed > 0) continue;
    TRY_ASSIGN(const std::size_t n, fill(steady_now() + patience_.idle));
    if (n == 0) return fail(Code::kInvalid, "the request ends in the middle of its body");
  }
  return std::string();
}

Result<std::optional<http::Request>> Connection::next_request(Body (*body_for)(const http::Request& request)) {
  descriptor_.reset();
  TRY_ASSIGN(const auto length, read_head());
  if (!length) return std::optional<http::Request>();
  TRY_ASSIGN(auto request, http::parse_request_head(std::string_view(buffer_).substr(0, *length)));
  buffer_.erase(0, *length);
  if (body_for(request) == Body::kInPieces)
    TRY(begin_pieces(request));
  else
    TRY(read_body(request));
  return std::optional(std::move(request));
}

std::optional<Fd> Connection::take_descriptor() { return std::exchange(descriptor_, std::nullopt); }

Result<> Connection::send(std::string_view bytes) { return send_all(socket_, bytes, "answer a client"); }

bool Connection::hung_up() const {
  pollfd state{socket_.get(), POLLRDHUP, 0};
  return ::poll(&state, 1, 0) > 0;
}

void Connection::linger() {
  (void)::shutdown(socket_.get(), SHUT_WR);
  const SteadyTime deadline = steady_now() + patience_.request;
  std::size_t bytes = 0;
  do {
    buffer_.clear();
    bytes = fill(std::min(deadline, steady_now() + kLingering)).value_or(0);
  } while (bytes > 0);
}

Result<> Connection::release_limits() { return set_timeouts(socket_, milliseconds(0)); }

}  // namespace sbx::api
