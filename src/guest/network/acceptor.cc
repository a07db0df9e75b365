// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/acceptor.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>

#include "guest/network/any_address.h"

namespace sbx::guest {
namespace {

constexpr int kAcceptsAtOnce = 64;  // then others have their turn
constexpr std::chrono::milliseconds kRest{50};

}  // namespace

Acceptor::~Acceptor() {
  if (listener_) loop_.forget(listener_);
}

Result<> Acceptor::start(std::uint16_t port) {
  TRY_ASSIGN(Fd listener, bind_any_address(SOCK_STREAM, port));
  serve(std::move(listener));
  return Ok{};
}

void Acceptor::serve(Fd listener) {
  listener_ = std::move(listener);
  loop_.watch(listener_, EPOLLIN, [this](std::uint32_t) { accept_some(); });
}

void Acceptor::accept_some() {
  for (int i = 0; i < kAcceptsAtOnce; ++i) {
    Fd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket) {
      on_socket_(std::move(socket));
      continue;
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) rest();
    if (errno != ECONNABORTED && errno != EINTR) return;
  }
}

void Acceptor::rest() {
  const int error = errno;
  loop_.change(listener_, 0);
  resting_ = loop_.after(kRest, [this] { loop_.change(listener_, EPOLLIN); });
  errno = error;
}

}  // namespace sbx::guest
