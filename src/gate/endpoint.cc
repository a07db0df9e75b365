// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/endpoint.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstring>

#include "policy/target.h"

namespace sbx::gate {
namespace {

struct Raw {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

Raw raw(const Endpoint& endpoint) {
  Raw raw;
  const auto& bytes = endpoint.address.bytes();
  if (endpoint.address.is_v4()) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(endpoint.port);
    std::memcpy(&address.sin_addr, bytes.data() + 12, 4);
    std::memcpy(&raw.storage, &address, raw.size = sizeof address);
    return raw;
  }
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(endpoint.port);
  std::memcpy(&address.sin6_addr, bytes.data(), bytes.size());
  std::memcpy(&raw.storage, &address, raw.size = sizeof address);
  return raw;
}

}  // namespace

std::string Endpoint::text() const { return policy::Target{policy::Host(address), port}.text(); }

Result<Fd> new_socket(const Endpoint& endpoint) {
  Fd socket(::socket(endpoint.address.is_v4() ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return fail_errno("make a socket");
  return socket;
}

int connect_to(const Fd& socket, const Endpoint& endpoint) {
  const Raw address = raw(endpoint);
  return ::connect(socket.get(), address.get(), address.size);
}

int bind_to(const Fd& socket, const Endpoint& endpoint) {
  const Raw address = raw(endpoint);
  return ::bind(socket.get(), address.get(), address.size);
}

Result<std::uint16_t> port_of(const Fd& socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&storage), &size) != 0)
    return fail_errno("ask for the port");
  // The port is at the same place in both.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
}

}  // namespace sbx::gate
