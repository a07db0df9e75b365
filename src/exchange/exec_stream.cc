// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "exchange/exec_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/poll.h"
#include "base/text.h"
#include "base/value.h"

namespace sbx::exchange {
namespace {

constexpr std::size_t kMostSaid = 64u << 10;

std::string header_of(wire::Kind kind, std::string_view payload) {
  const auto header = wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), wire::kClientStream, kind});
  return {header.data(), header.size()};
}

Failure too_slow() { return fail(Code::kTimeout, "the sandbox takes too long"); }

}  // namespace

Result<> ExecStream::send(wire::Kind kind, std::string_view payload) {
  const std::string head = header_of(kind, payload);
  if (is_sending()) {
    unsent_ += head;
    unsent_ += payload;
    return Ok{};
  }
  TRY(send_whole(head));
  return send_whole(payload);
}

Result<> ExecStream::send_whole(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(connection_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno == EAGAIN)
      TRY(await(POLLOUT));
    else if (n < 0 && errno != EINTR)
      return fail_errno("send to the sandbox");
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  }
  return Ok{};
}

void ExecStream::offer(std::string_view piece) {
  const wire::Kind kind = piece.empty() ? wire::Kind::kEnd : wire::Kind::kData;
  unsent_ += header_of(kind, piece);
  unsent_ += piece;
  send_some();
}

void ExecStream::offer_signal(int number) {
  const char payload = static_cast<char>(number);
  unsent_ += header_of(wire::Kind::kSignal, {&payload, 1});
  unsent_ += payload;
  send_some();
}

// A command that has ended takes no more, and how it ended is still to be read.
void ExecStream::send_some() {
  const ssize_t n = ::send(connection_.get(), unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (n >= 0)
    unsent_.erase(0, static_cast<std::size_t>(n));
  else if (errno != EAGAIN && errno != EINTR)
    unsent_.clear();
}

Result<> ExecStream::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, wire::kLargestPayload);
    TRY(send(wire::Kind::kData, piece));
    bytes.remove_prefix(piece.size());
  }
  return Ok{};
}

Result<> ExecStream::end_input() { return send(wire::Kind::kEnd, {}); }

Result<> ExecStream::signal(int number) {
  const char payload = static_cast<char>(number);
  return send(wire::Kind::kSignal, {&payload, 1});
}

void ExecStream::abort() const { ::shutdown(connection_.get(), SHUT_RDWR); }

Result<bool> ExecStream::wait(std::chrono::milliseconds limit) const {
  if (!buffer_.empty()) return true;
  return wait_readable(connection_, steady_now() + limit);
}

Result<ExecStream::Ready> ExecStream::wait(std::chrono::milliseconds limit, const Fd* input) {
  if (!buffer_.empty()) return Ready{.output = true};
  const auto events = static_cast<short>(is_sending() ? POLLIN | POLLOUT : POLLIN);
  pollfd watched[] = {{connection_.get(), events, 0},
                      {input != nullptr && !is_sending() ? input->get() : -1, POLLIN, 0}};
  TRY(poll_until(watched, steady_now() + limit));
  if ((watched[0].revents & POLLOUT) != 0) send_some();
  return Ready{(watched[0].revents & ~POLLOUT) != 0, watched[1].revents != 0};
}

Result<> ExecStream::await(short events) const {
  pollfd watched{connection_.get(), events, 0};
  TRY_ASSIGN(const bool is_ready, poll_until({&watched, 1}, deadline_));
  return is_ready ? Ok{} : Result<>(too_slow());
}

Result<> ExecStream::fill(std::size_t size, std::string& into) {
  into = buffer_.substr(0, size);
  buffer_.erase(0, into.size());
  std::size_t done = into.size();
  into.resize(size);
  while (done < size) {
    // Here, too, because there may be something to read all the time.
    if (steady_now() >= deadline_) return too_slow();
    const ssize_t n = ::recv(connection_.get(), into.data() + done, size - done, MSG_DONTWAIT);
    if (n == 0) return fail(Code::kInternal, "the sandbox ended while the command ran", "sandbox ls");
    if (n < 0 && errno == EAGAIN)
      TRY(await(POLLIN));
    else if (n < 0 && errno != EINTR)
      return fail_errno("read from the sandbox");
    done += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
  }
  return Ok{};
}

Result<wire::Header> ExecStream::next_frame() {
  TRY(fill(wire::kHeaderSize, payload_));
  std::array<char, wire::kHeaderSize> bytes{};
  std::copy(payload_.begin(), payload_.end(), bytes.begin());
  TRY_ASSIGN(const wire::Header header, wire::decode_header(bytes));
  TRY(fill(header.length, payload_));
  return header;
}

Result<std::optional<ExecStream::Piece>> ExecStream::step() {
  if (exit_) return std::nullopt;
  TRY_ASSIGN(const wire::Header header, next_frame());
  const bool is_error = header.kind == wire::Kind::kErr;
  if (is_error && said_.size() < kMostSaid) said_ += payload_;
  if (is_error || header.kind == wire::Kind::kOut) return Piece{is_error, payload_};
  if (header.kind == wire::Kind::kOpened) {
    TRY_ASSIGN(const auto opened, value_in<wire::ExecOpened>(payload_, "opened", Unknown::kIgnored));
    pid_ = opened.pid;
  }
  if (header.kind != wire::Kind::kExit) return Piece{};
  TRY_ASSIGN(const Json json, parse_json(payload_));
  TRY_ASSIGN(exit_, value_of<wire::ExecExit>(json, "exit", Unknown::kIgnored));
  return std::nullopt;
}

Result<std::optional<ExecStream::Piece>> ExecStream::next() {
  for (;;) {
    TRY_ASSIGN(const auto piece, step());
    if (!piece || !piece->bytes.empty()) return piece;
  }
}

Result<std::string_view> ExecStream::read() {
  for (;;) {
    TRY_ASSIGN(const auto piece, next());
    if (!piece) return std::string_view();
    if (!piece->is_error) return piece->bytes;
  }
}

Result<std::size_t> ExecStream::read(std::span<char> buffer) {
  if (rest_ == 0) {
    TRY_ASSIGN(const std::string_view piece, read());
    rest_ = piece.size();
  }
  const std::size_t size = std::min(rest_, buffer.size());
  std::copy_n(payload_.end() - static_cast<std::ptrdiff_t>(rest_), size, buffer.begin());
  rest_ -= size;
  return size;
}

Result<std::string> ExecStream::read_all(std::size_t limit) {
  std::string text;
  for (;;) {
    TRY_ASSIGN(const std::string_view bytes, read());
    if (bytes.empty()) return text;
    if (text.size() + bytes.size() > limit) return fail(Code::kTooLarge, "the sandbox says more than was asked for");
    text += bytes;
  }
}

Result<> ExecStream::finish() {
  for (;;) {
    TRY_ASSIGN(const std::string_view bytes, read());
    if (bytes.empty()) break;
  }
  if (exit_->code == 0) return Ok{};
  if (!exit_->error.empty()) return fail(Code::kInternal, exit_->error);
  const std::string_view text = trimmed(said_);
  const std::string_view last = text.substr(text.find_last_of('\n') + 1);
  return fail(Code::kInternal, last.empty() ? "ended with status " + std::to_string(exit_->code) : std::string(last));
}

}  // namespace sbx::exchange
