// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/ports.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace sbx::gate {
namespace {

constexpr int kBacklog = 4096;  // as far as the system lets us
constexpr int kAcceptsAtOnce = 64;
constexpr auto kRest = std::chrono::milliseconds(100);

Failure why_not(const Endpoint& at) {
  const int number = errno;
  Error error = Error::from_errno("publish " + at.text(), number);
  if (number == EADDRINUSE)
    return fail(std::move(error).as(Code::kConflict).with_hint("choose another port of the host's"));
  if (number == EACCES)
    return fail(std::move(error)
                    .as(Code::kForbidden)
                    .with_hint("ports below 1024 are opened only at the start, by root: stop the sandbox first"));
  return fail(std::move(error).as(Code::kInvalid));
}

void set_options(const Fd& socket, const Endpoint& at) {
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (!at.address.is_v4()) ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
}

bool is_any(const policy::Address& address) {
  return address == *policy::Address::parse("0.0.0.0") || address == *policy::Address::parse("::");
}

// Whether an address is one of this host's: only such a one can be bound to.
bool is_of_this_host(const policy::Address& address) {
  const auto socket = new_socket({address, 0});
  return socket && bind_to(*socket, {address, 0}) == 0;
}

wire::PublishedPort described(const Listening& each) { return {each.at.address.text(), each.at.port, each.port}; }

bool is_meant(const Listening& each, const wire::PublishedPort& port) {
  if (port.port != each.port) return false;
  return port.host_port == 0 ||
         (port.host_port == each.at.port && policy::Address::parse(port.host_ip) == std::optional(each.at.address));
}

}  // namespace

Result<Listening> listen_on(const wire::PublishedPort& port) {
  const auto address = policy::Address::parse(port.host_ip);
  if (!address) return fail(Code::kInvalid, "publish " + port.host_ip + ": it is not an address");
  Endpoint at{*address, port.host_port};
  TRY_ASSIGN(Fd socket, new_socket(at));
  set_options(socket, at);
  if (bind_to(socket, at) != 0 || ::listen(socket.get(), kBacklog) != 0) return why_not(at);
  TRY_ASSIGN(at.port, port_of(socket));
  return Listening{at, port.port, std::move(socket)};
}

Result<std::vector<Listening>> listen_on_all(const std::vector<wire::PublishedPort>& ports) {
  std::vector<Listening> open;
  for (const auto& port : ports) {
    TRY_ASSIGN(Listening listening, listen_on(port));
    open.push_back(std::move(listening));
  }
  return open;
}

Ports::Ports(loop::Loop& loop, MayAccept may_accept, OnAccepted on_accepted)
    : loop_(loop), may_accept_(std::move(may_accept)), on_accepted_(std::move(on_accepted)), lifeline_(loop) {}

Ports::~Ports() {
  for (const Listening& each : open_) loop_.forget(each.socket);
}

void Ports::add(Listening listening) {
  const Listening& added = open_.emplace_back(std::move(listening));
  loop_.watch(added.socket, EPOLLIN, [this, &added](std::uint32_t) { accept(added); });
}

Result<std::vector<wire::PublishedPort>> Ports::publish(const std::vector<wire::PublishedPort>& ports) {
  TRY_ASSIGN(auto opened, listen_on_all(ports));
  std::vector<wire::PublishedPort> published;
  for (Listening& each : opened) {
    published.push_back(described(each));
    add(std::move(each));
  }
  return published;
}

Result<> Ports::unpublish(const std::vector<wire::PublishedPort>& ports) {
  for (const auto& port : ports)
    if (std::ranges::none_of(open_, [&](const Listening& each) { return is_meant(each, port); }))
      return fail(Code::kNotFound, "port " + std::to_string(port.port) + " of the sandbox is not published there");
  for (const auto& port : ports)
    open_.remove_if([&](const Listening& each) {
      if (!is_meant(each, port)) return false;
      loop_.forget(each.socket);
      return true;
    });
  return Ok{};
}

std::vector<wire::PublishedPort> Ports::list() const {
  std::vector<wire::PublishedPort> ports;
  for (const Listening& each : open_) ports.push_back(described(each));
  return ports;
}

bool Ports::holds(const policy::Address& address, std::uint16_t port) const {
  return std::ranges::any_of(open_, [&](const Listening& each) {
    if (each.at.port != port) return false;
    return each.at.address == address || (is_any(each.at.address) && (is_any(address) || is_of_this_host(address)));
  });
}

void Ports::accept(const Listening& from) {
  for (int i = 0; i < kAcceptsAtOnce; ++i) {
    if (!may_accept_()) return rest(from);
    Fd socket(::accept4(from.socket.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket && errno == EAGAIN) return;
    // Too many descriptors, or too little memory: the connection stays where it is, and asking at once would not help.
    if (!socket && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) return rest(from);
    if (!socket) continue;
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    on_accepted_(from.port, std::move(socket));
  }
}

void Ports::rest(const Listening& from) {
  loop_.change(from.socket, 0);
  lifeline_.after(kRest, [this, resting = from.socket.get()] {
    for (const Listening& each : open_)
      if (each.socket.get() == resting) loop_.change(each.socket, EPOLLIN);
  });
}

}  // namespace sbx::gate
