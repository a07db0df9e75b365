// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/any_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <string>

namespace sbx::guest {
namespace {

constexpr int kBacklog = 4096;

int bind_to(const Fd& socket, int family, std::uint16_t port) {
  if (family == AF_INET6) {
    sockaddr_in6 any{};
    any.sin6_family = AF_INET6;
    any.sin6_port = htons(port);
    return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any);
  }
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_port = htons(port);
  return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any);
}

}  // namespace

Result<Fd> bind_any_address(int type, std::uint16_t port) {
  int family = AF_INET6;
  Fd socket(::socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket && errno == EAFNOSUPPORT) {
    family = AF_INET;
    socket = Fd(::socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  }
  if (!socket) return fail_errno("make a socket");
  const int on = 1;
  const int off = 0;
  (void)::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (family == AF_INET6) (void)::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (bind_to(socket, family, port) != 0) return fail_errno("bind port " + std::to_string(port));
  if (type == SOCK_STREAM && ::listen(socket.get(), kBacklog) != 0) return fail_errno("listen");
  return socket;
}

}  // namespace sbx::guest
