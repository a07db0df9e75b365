// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/address_race.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>

#include "base/error.h"
#include "gate/endpoint.h"

namespace sbx::gate {
namespace {

constexpr auto kHeadStart = std::chrono::milliseconds(250);
constexpr auto kLimit = std::chrono::seconds(15);

void set_options(const Fd& socket) {
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

int error_of(const Fd& socket) {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace

AddressRace::AddressRace(loop::Loop& loop, std::vector<policy::Address> addresses, std::uint16_t port, OnDone done)
    : loop_(loop), addresses_(std::move(addresses)), port_(port), done_(std::move(done)) {
  next_ = loop_.after(std::chrono::milliseconds(0), [this] { try_next(); });
  limit_ = loop_.after(kLimit, [this] { finish({{}, std::nullopt, error_.empty() ? "connect: no answer" : error_}); });
}

AddressRace::~AddressRace() { stop(); }

void AddressRace::stop() {
  next_.cancel();
  limit_.cancel();
  for (const Attempt& attempt : attempts_) loop_.forget(attempt.socket);
  attempts_.clear();
}

// Those that fail at once, as all of a protocol that the host does not speak, cost no time.
void AddressRace::try_next() {
  next_.cancel();
  while (next_address_ < addresses_.size())
    if (begin(addresses_[next_address_++])) break;
  if (next_address_ < addresses_.size())
    next_ = loop_.after(kHeadStart, [this] { try_next(); });
  else if (attempts_.empty())
    finish({{}, std::nullopt, error_});
}

bool AddressRace::begin(const policy::Address& address) {
  auto socket = new_socket({address, port_});
  if (!socket) {
    error_ = socket.error().what();
    return false;
  }
  set_options(*socket);
  if (connect_to(*socket, {address, port_}) != 0 && errno != EINPROGRESS) {
    failed(address, errno);
    return false;
  }
  const auto place = attempts_.insert(attempts_.end(), {address, std::move(*socket)});
  loop_.watch(place->socket, EPOLLOUT, [this, place](std::uint32_t) { ready(place); });
  return true;
}

void AddressRace::failed(const policy::Address& address, int error) {
  error_ = Error::from_errno("connect to " + Endpoint{address, port_}.text(), error).what();
}

void AddressRace::ready(Place place) {
  const int error = error_of(place->socket);
  loop_.forget(place->socket);
  if (error == 0) return finish({std::move(place->socket), place->address, {}});
  failed(place->address, error);
  attempts_.erase(place);
  try_next();
}

void AddressRace::finish(Outcome outcome) {
  stop();
  const OnDone done = std::move(done_);
  done(std::move(outcome));  // after it we may be gone
}

}  // namespace sbx::gate
