// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "streams/socket_stream.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace sbx::streams {
namespace {

constexpr std::size_t kPiece = 64u << 10;
constexpr std::size_t kQueueWorthMoving = 64u << 10;

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

SocketStream::SocketStream(loop::Loop& loop, Fd socket, End end)
    : loop_(loop), socket_(std::move(socket)), end_(end), lifeline_(loop) {}

SocketStream::~SocketStream() {
  if (watched_) loop_.forget(socket_);
  if (end_ == End::kShutDown) (void)::shutdown(socket_.get(), SHUT_RDWR);
}

void SocketStream::listen(Listener& listener) {
  listener_ = &listener;
  update_interest();
}

void SocketStream::pause() {
  paused_ = true;
  update_interest();
}

void SocketStream::resume() {
  if (!paused_) return;
  paused_ = false;
  update_interest();
}

void SocketStream::send(std::string_view bytes) {
  if (broken_ || finishing_) return;
  if (queued() == 0) {
    const ssize_t taken = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (taken < 0 && !would_block()) return fail_later("send");
    if (taken > 0) bytes.remove_prefix(static_cast<std::size_t>(taken));
  }
  if (bytes.empty()) return;
  queue_ += bytes;
  update_interest();
}

void SocketStream::finish() {
  finishing_ = true;
  shut_down_if_done();
}

void SocketStream::shut_down_if_done() {
  if (!finishing_ || shut_down_ || queued() != 0 || broken_) return;
  shut_down_ = true;
  (void)::shutdown(socket_.get(), SHUT_WR);
}

void SocketStream::ready(std::uint32_t events) {
  const loop::Lifeline::Witness witness(lifeline_);
  if ((events & EPOLLOUT) != 0) write_some();
  if (witness.gone() || broken_) return;
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0) return;
  if (!paused_ && !ended_) return read_some();
  // A watch that asks for nothing is told of a hang-up again and again; what is unread is read after resume().
  if ((events & (EPOLLHUP | EPOLLERR)) != 0 && watched_) {
    loop_.forget(socket_);
    watched_ = false;
    if (ended_ && queued() != 0) fail_now(Error(Code::kUnavailable, "send: the peer is gone"));
  }
}

void SocketStream::read_some() {
  std::array<char, kPiece> piece;  // not initialised: it is 64 KiB
  const ssize_t size = ::recv(socket_.get(), piece.data(), piece.size(), 0);
  if (size < 0 && would_block()) return;
  if (size < 0) return fail_now(Error::from_errno("receive"));
  if (size > 0) return listener_->received({piece.data(), static_cast<std::size_t>(size)});
  ended_ = true;
  update_interest();
  listener_->ended();
}

void SocketStream::write_some() {
  if (queued() == 0) return;
  const ssize_t taken = ::send(socket_.get(), queue_.data() + sent_, queued(), MSG_NOSIGNAL);
  if (taken < 0 && would_block()) return;
  if (taken < 0) return fail_now(Error::from_errno("send"));
  sent_ += static_cast<std::size_t>(taken);
  if (queued() == 0) {
    queue_.clear();
    sent_ = 0;
    if (queue_.capacity() > 2 * kHighWater) queue_.shrink_to_fit();
    shut_down_if_done();
    update_interest();
    return listener_->drained();
  }
  if (sent_ > kQueueWorthMoving && sent_ > queued()) {
    queue_.erase(0, sent_);
    sent_ = 0;
  }
}

void SocketStream::fail_later(const char* doing) {
  broken_ = true;
  update_interest();
  lifeline_.later([this, why = Error::from_errno(doing)] {
    if (listener_ != nullptr) listener_->failed(why);
  });
}

void SocketStream::fail_now(const Error& why) {
  broken_ = true;
  update_interest();
  listener_->failed(why);
}

void SocketStream::update_interest() {
  if (listener_ == nullptr) return;
  if (broken_) {
    if (watched_) loop_.forget(socket_);
    watched_ = false;
    return;
  }
  const std::uint32_t events =
      (paused_ || ended_ ? 0u : static_cast<std::uint32_t>(EPOLLIN)) | (queued() != 0 ? EPOLLOUT : 0u);
  if (watched_) return loop_.change(socket_, events);
  if (events == 0) return;
  loop_.watch(socket_, events, [this](std::uint32_t happened) { ready(happened); });
  watched_ = true;
}

}  // namespace sbx::streams
