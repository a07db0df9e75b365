// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/local_dialer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace sbx::guest {
namespace {

int connect_to_loopback(const Fd& socket, int family, std::uint16_t port) {
  if (family == AF_INET) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to);
  }
  sockaddr_in6 to{};
  to.sin6_family = AF_INET6;
  to.sin6_port = htons(port);
  to.sin6_addr = in6addr_loopback;
  return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

bool is_connected(const Fd& socket) {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

}  // namespace

LocalDialer::LocalDialer(loop::Loop& loop, std::uint16_t port, OnDone on_done)
    : loop_(loop), port_(port), on_done_(std::move(on_done)), lifeline_(loop) {
  if (dial(AF_INET) || dial(AF_INET6)) return;
  socket_.reset();
  lifeline_.later([this] { finish(); });
}

LocalDialer::~LocalDialer() {
  if (socket_) loop_.forget(socket_);
}

bool LocalDialer::dial(int family) {
  second_ = family == AF_INET6;
  socket_ = Fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket_) return false;
  const int on = 1;
  (void)::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect_to_loopback(socket_, family, port_) != 0 && errno != EINPROGRESS) return false;
  loop_.watch(socket_, EPOLLOUT, [this](std::uint32_t) { ready(); });
  return true;
}

void LocalDialer::ready() {
  const bool connected = is_connected(socket_);
  loop_.forget(socket_);
  if (connected) return finish();
  socket_.reset();
  if (!second_ && dial(AF_INET6)) return;
  socket_.reset();
  finish();
}

void LocalDialer::finish() { std::exchange(on_done_, nullptr)(std::move(socket_)); }

}  // namespace sbx::guest
