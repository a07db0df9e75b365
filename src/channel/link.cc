// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "channel/link.h"

#include <sys/epoll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace sbx::channel {
namespace {

// One read takes what the socket holds; there is always room for at least the rest of the largest frame.
constexpr std::size_t kReadSize = wire::kLargestPayload + wire::kHeaderSize;

}  // namespace

Link::Link(loop::Loop& loop, Fd fd, OnFrame on_frame, OnClose on_close)
    : loop_(loop), fd_(std::move(fd)), on_frame_(std::move(on_frame)), on_close_(std::move(on_close)) {
  (void)set_nonblocking(fd_);  // fails only for a bad descriptor, which the first read reports
  loop_.watch(fd_, EPOLLIN, [this](std::uint32_t events) { ready(events); });
}

Link::~Link() {
  *alive_ = false;
  loop_.forget(fd_);
}

void Link::send(wire::Kind kind, std::uint32_t stream, std::string_view payload) {
  if (closed_ || deaf_) return;
  const auto header = wire::encode({static_cast<std::uint32_t>(payload.size()), stream, kind});
  const std::size_t total = header.size() + payload.size();
  std::size_t sent = 0;
  if (output_.empty()) {
    // The common case: straight from the caller's buffer into the socket, without a copy of ours.
    std::array<iovec, 2> parts{
        {{const_cast<char*>(header.data()), header.size()}, {const_cast<char*>(payload.data()), payload.size()}}};
    const ssize_t n = ::writev(fd_.get(), parts.data(), parts.size());
    if (n > 0) sent = static_cast<std::size_t>(n);
    // An error other than "full" shows again, and is handled, when the loop finds the descriptor ready.
  }
  if (sent == total) return;
  std::string rest;
  rest.reserve(total - sent);
  if (sent < header.size()) rest.append(header.data() + sent, header.size() - sent);
  const std::size_t skipped = sent > header.size() ? sent - header.size() : 0;
  rest.append(payload.substr(skipped));
  queued_ += rest.size();
  output_.push_back(std::move(rest));
  update_interest();
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
    loop_.later([this, alive = alive_] {
      if (*alive && !paused_ && !closed_) take_frames();
    });
}

void Link::update_interest() {
  if (closed_) return;
  loop_.change(fd_, (paused_ ? 0u : EPOLLIN) | (output_.empty() ? 0u : EPOLLOUT));
}

void Link::ready(std::uint32_t events) {
  const auto alive = alive_;
  if ((events & EPOLLOUT) != 0) write_some();
  if (!*alive || closed_) return;
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
  const auto alive = alive_;
  while (!paused_) {
    const std::string_view bytes = input_.unread();
    if (bytes.size() < wire::kHeaderSize) return;
    const auto header = wire::decode_header(std::span<const char, wire::kHeaderSize>(bytes.data(), wire::kHeaderSize));
    if (!header) return close(fail(header.error()));
    const std::size_t size = wire::kHeaderSize + header->length;
    if (bytes.size() < size) return;
    on_frame_(*header, bytes.substr(wire::kHeaderSize, header->length));
    if (!*alive || closed_) return;
    input_.consumed(size);
  }
}

void Link::write_some() {
  while (!output_.empty()) {
    const std::string& first = output_.front();
    const ssize_t n = ::write(fd_.get(), first.data() + output_offset_, first.size() - output_offset_);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n < 0) return stop_writing();
    output_offset_ += static_cast<std::size_t>(n);
    queued_ -= static_cast<std::size_t>(n);
    if (output_offset_ < first.size()) return;
    output_.pop_front();
    output_offset_ = 0;
  }
  update_interest();
  if (on_drained_) on_drained_();
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
