// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/connect.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "base/text.h"

namespace sbx::guest {
namespace {

template <class Address>
Fd connected(const Address& to, int family) {
  Fd socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket && ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) socket.reset();
  return socket;
}

// False at its end.
Result<bool> pass_on(const Fd& from, const Fd& to) {
  std::array<char, 16u << 10> buffer;
  const ssize_t n = ::read(from.get(), buffer.data(), buffer.size());
  if (n < 0 && errno == EINTR) return true;
  if (n < 0 && errno == ECONNRESET) return false;
  if (n < 0) return fail_errno("read");
  TRY(write_all(to, std::string_view(buffer.data(), static_cast<std::size_t>(n))));
  return n > 0;
}

}  // namespace

Result<Fd> connect_inside(std::uint16_t port) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  six.sin6_addr = in6addr_loopback;
  Fd socket = connected(four, AF_INET);
  if (!socket) socket = connected(six, AF_INET6);
  if (!socket) return fail_errno("connect to port " + std::to_string(port));
  return socket;
}

// "  0: 0100007F:05AF 00000000:0000 0A ...": the address, the port in hexadecimal digits, and 0A for listening.
bool has_listener(std::string_view table, std::uint16_t port) {
  const std::string wanted = sbx::format(":{:04X}", port);
  for (const std::string& line : split(table, '\n')) {
    std::vector<std::string> fields;
    for (std::string& field : split(line, ' '))
      if (!field.empty()) fields.push_back(std::move(field));
    if (fields.size() > 3 && fields[1].ends_with(wanted) && fields[3] == "0A") return true;
  }
  return false;
}

Result<> relay(const Fd& in, const Fd& out, const Fd& socket) {
  std::array<pollfd, 2> ready{{{in.get(), POLLIN, 0}, {socket.get(), POLLIN, 0}}};
  for (;;) {
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return fail_errno("wait");
    if (ready[1].revents != 0) {
      TRY_ASSIGN(const bool more, pass_on(socket, out));
      if (!more) return Ok{};
    }
    if (ready[0].revents != 0) {
      TRY_ASSIGN(const bool more, pass_on(in, socket));
      if (!more) {
        ::shutdown(socket.get(), SHUT_WR);
        ready[0].fd = -1;  // poll passes it over
      }
    }
  }
}

}  // namespace sbx::guest
