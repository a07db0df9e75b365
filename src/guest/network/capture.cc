// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/capture.h"

#include <arpa/inet.h>
#include <linux/netfilter_ipv4.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cstring>

#include "streams/socket_stream.h"

namespace sbx::guest {
namespace {

constexpr int kOriginalDestination6 = 80;  // IP6T_SO_ORIGINAL_DST; its header does not compile beside <netinet/in.h>

struct Address {
  in6_addr host{};  // of IPv4 in the form ::ffff:a.b.c.d
  std::uint16_t port = 0;

  bool is_v4() const { return IN6_IS_ADDR_V4MAPPED(&host); }
  Ipv4 v4() const {
    Ipv4 bytes = 0;
    std::memcpy(&bytes, host.s6_addr + 12, sizeof bytes);
    return ntohl(bytes);
  }
  bool operator==(const Address& other) const {
    return std::memcmp(&host, &other.host, sizeof host) == 0 && port == other.port;
  }
};

Address address_from(const sockaddr_in& from) {
  Address address{{}, ntohs(from.sin_port)};
  address.host.s6_addr[10] = address.host.s6_addr[11] = 0xff;
  std::memcpy(address.host.s6_addr + 12, &from.sin_addr, 4);
  return address;
}

Address address_from(const sockaddr_in6& from) { return {from.sin6_addr, ntohs(from.sin6_port)}; }

std::optional<Address> local_address(const Fd& socket) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &size) != 0) return std::nullopt;
  if (own.ss_family == AF_INET) return address_from(reinterpret_cast<const sockaddr_in&>(own));
  return address_from(reinterpret_cast<const sockaddr_in6&>(own));
}

std::optional<Address> original_destination(const Fd& socket, bool v4) {
  if (v4) {
    sockaddr_in wanted{};
    socklen_t size = sizeof wanted;
    if (::getsockopt(socket.get(), IPPROTO_IP, SO_ORIGINAL_DST, &wanted, &size) != 0) return std::nullopt;
    return address_from(wanted);
  }
  sockaddr_in6 wanted{};
  socklen_t size = sizeof wanted;
  if (::getsockopt(socket.get(), IPPROTO_IPV6, kOriginalDestination6, &wanted, &size) != 0) return std::nullopt;
  return address_from(wanted);
}

// As in a URL.
std::string address_text(const Address& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const in_addr v4{htonl(address.v4())};
  if (address.is_v4()) return ::inet_ntop(AF_INET, &v4, text.data(), text.size());
  return "[" + std::string(::inet_ntop(AF_INET6, &address.host, text.data(), text.size())) + "]";
}

void reset(Fd socket) {
  const linger at_once{1, 0};
  (void)::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace

Capture::Capture(loop::Loop& loop, NameTable& names, OnCaptured on_captured)
    : loop_(loop),
      names_(names),
      on_captured_(std::move(on_captured)),
      acceptor_(loop, [this](Fd socket) { take(std::move(socket)); }) {}

Result<> Capture::start() { return acceptor_.start(kCapturePort); }

void Capture::take(Fd socket) {
  const auto wanted = target(socket);
  if (!wanted) return reset(std::move(socket));
  const int on = 1;
  (void)::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  on_captured_(*wanted, std::make_unique<streams::SocketStream>(loop_, std::move(socket)));
}

std::optional<wire::Connect> Capture::target(const Fd& socket) {
  const auto own = local_address(socket);
  if (!own) return std::nullopt;
  const auto wanted = original_destination(socket, own->is_v4());
  // A client that connects to our port itself was not redirected: there is no target.
  if (!wanted || *wanted == *own || wanted->port == 0) return std::nullopt;
  if (!wanted->is_v4() || !is_name_address(wanted->v4()))
    return wire::Connect{address_text(*wanted), wanted->port, false};
  // An address that we have forgotten, or never gave, has no name.
  const auto name = names_.name_of(wanted->v4());
  return name ? std::optional(wire::Connect{*name, wanted->port, false}) : std::nullopt;
}

}  // namespace sbx::guest
