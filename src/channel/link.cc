// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "channel/link.h"

#include <sys/epoll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace sbx::channel {
namespace {

// One read takes what the socket holds; there is always room for at least the rest of the largest frame.
constexpr std::size_t kReadSize = wire::kLargestPayload + wire::kHeaderSize;
// Queued frames below this size share a piece, so that a queue of small ones leaves in few writes and little memory.
constexpr std::size_t kSmallPiece = 16u << 10;
constexpr std::size_t kSmallFrame = 2u << 10;
constexpr std::size_t kPiecesAtOnce = 16;

}  // namespace

Link::Link(loop::Loop& loop, Fd fd, OnFrame on_frame, OnClose on_close)
    : loop_(loop), fd_(std::move(fd)), on_frame_(std::move(on_frame)), on_close_(std::move(on_close)), lifeline_(loop) {
  (void)set_nonblocking(fd_);  // fails only for a bad descriptor, which the first read reports
  loop_.watch(fd_, EPOLLIN, [this](std::uint32_t events) { ready(events); });
}

Link::~Link() { loop_.forget(fd_); }

void Link::send(wire::Kind kind, std::uint32_t stream, std::string_view payload) {
  if (closed_ || deaf_) return;
  const auto header = wire::encode({static_cast<std::uint32_t>(payload.size()), stream, kind});
  const std::size_t total = header.size() + payload.size();
  if (queued_ + total > kMostUnread) return overflow();
  std::size_t sent = 0;
  if (output_.empty() && held_ == 0) {
    const ssize_t n = write_frame(header, payload);
    if (n > 0) sent = static_cast<std::size_t>(n);
    // An error other than "full" shows again, and is handled, when the loop finds the descriptor ready.
  }
  if (sent == total) return;
  const std::size_t rest = total - sent;
  if (output_.empty() || output_.back().size() + rest > kSmallPiece) output_.emplace_back().reserve(rest);
  std::string& piece = output_.back();
  if (sent < header.size()) piece.append(header.data() + sent, header.size() - sent);
  piece.append(payload.substr(sent > header.size() ? sent - header.size() : 0));
  queued_ += rest;
  if (held_ == 0) update_interest();
}

void Link::let_go() {
  if (--held_ > 0 || closed_ || output_.empty()) return;
  write_some();
  update_interest();
}

// A virtio port takes each part of a writev as a message of its own, with an interrupt for each: a small frame goes as
// one piece. A large one goes straight from the caller's buffer, without a copy of ours.
ssize_t Link::write_frame(const std::array<char, wire::kHeaderSize>& header, std::string_view payload) const {
  if (payload.size() <= kSmallFrame) {
    std::array<char, wire::kHeaderSize + kSmallFrame> frame;
    std::copy(payload.begin(), payload.end(), std::copy(header.begin(), header.end(), frame.begin()));
    return ::write(fd_.get(), frame.data(), header.size() + payload.size());
  }
  std::array<iovec, 2> parts{
      {{const_cast<char*>(header.data()), header.size()}, {const_cast<char*>(payload.data()), payload.size()}}};
  return ::writev(fd_.get(), parts.data(), parts.size());
}

void Link::pause() {
  paused_ = true;
  update_interest();
}

void Link::resume() {
  if (!paused_) return;
  paused_ = false;
  update_interest();
  // Whole frames may be waiting in the buffer although the descriptor has nothing new to say.
  if (!input_.unread().empty())
    lifeline_.later([this] {
      if (!paused_ && !closed_) take_frames();
    });
}

void Link::update_interest() {
  if (closed_) return;
  loop_.change(fd_, (paused_ ? 0u : EPOLLIN) | (output_.empty() ? 0u : EPOLLOUT));
}

void Link::ready(std::uint32_t events) {
  const loop::Lifeline::Witness witness(lifeline_);
  if ((events & EPOLLOUT) != 0) write_some();
  if (witness.gone() || closed_) return;
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0 && !paused_) return read_some();
  if ((events & (EPOLLHUP | EPOLLERR)) != 0) close(Ok{});
}

void Link::read_some() {
  const std::span<char> space = input_.space(kReadSize);
  const ssize_t n = ::read(fd_.get(), space.data(), space.size());
  if (n > 0) {
    input_.filled(static_cast<std::size_t>(n));
    return take_frames();
  }
  const int error = errno;
  if (n < 0 && (error == EAGAIN || error == EINTR)) return;
  if (n == 0 || error == ECONNRESET) return close(Ok{});
  close(fail_errno("read from the channel", error));
}

void Link::take_frames() {
  const loop::Lifeline::Witness witness(lifeline_);
  while (!paused_) {
    const std::string_view bytes = input_.unread();
    if (bytes.size() < wire::kHeaderSize) return;
    const auto header = wire::decode_header(std::span<const char, wire::kHeaderSize>(bytes.data(), wire::kHeaderSize));
    if (!header) return close(fail(header.error()));
    const std::size_t size = wire::kHeaderSize + header->length;
    if (bytes.size() < size) return;
    on_frame_(*header, bytes.substr(wire::kHeaderSize, header->length));
    if (witness.gone() || closed_) return;
    input_.consumed(size);
  }
}

void Link::write_some() {
  while (!output_.empty()) {
    const ssize_t n = write_pieces();
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n < 0) return stop_writing();
    written(static_cast<std::size_t>(n));
  }
  update_interest();
  if (on_drained_) on_drained_();
}

ssize_t Link::write_pieces() const {
  std::array<iovec, kPiecesAtOnce> parts{};
  std::size_t count = 0;
  for (std::size_t offset = output_offset_; count < std::min(parts.size(), output_.size()); ++count, offset = 0) {
    const std::string& piece = output_[count];
    parts[count] = {const_cast<char*>(piece.data()) + offset, piece.size() - offset};
  }
  return ::writev(fd_.get(), parts.data(), static_cast<int>(count));
}

void Link::written(std::size_t size) {
  queued_ -= size;
  output_offset_ += size;
  while (!output_.empty() && output_offset_ >= output_.front().size()) {
    output_offset_ -= output_.front().size();
    output_.pop_front();
  }
}

// The reader is gone, but what it said before it went may still be unread: the end comes when reading finds it.
void Link::stop_writing() {
  deaf_ = true;
  output_.clear();
  output_offset_ = 0;
  queued_ = 0;
  paused_ = false;
  update_interest();
}

// Later, because it is the sender that calls, and the handler may destroy it.
void Link::overflow() {
  stop_writing();
  lifeline_.later([this] { close(fail(Code::kInvalid, "what is sent is not read")); });
}

void Link::close(Result<> why) {
  if (closed_) return;
  closed_ = true;
  loop_.forget(fd_);
  output_.clear();
  queued_ = 0;
  // Moved out, because the handler may destroy us.
  const OnClose on_close = std::move(on_close_);
  on_close(std::move(why));
}

}  // namespace sbx::channel
