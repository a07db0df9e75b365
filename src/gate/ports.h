// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "gate/endpoint.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "wire/network.h"

namespace sbx::gate {

// A published port and the socket that listens on it.
struct Listening {
  Endpoint at;
  std::uint16_t port;  // of the guest's
  Fd socket;
};

// Listens: on a port that is free if host_port is 0. kConflict if it is taken.
Result<Listening> listen_on(const wire::PublishedPort& port);
Result<std::vector<Listening>> listen_on_all(const std::vector<wire::PublishedPort>& ports);

// The ports of the host's that lead into the guest.
class Ports {
 public:
  using OnAccepted = std::function<void(std::uint16_t port, Fd socket)>;
  using MayAccept = std::function<bool()>;  // no: the shim does not take what it is given

  Ports(loop::Loop& loop, MayAccept may_accept, OnAccepted on_accepted);
  ~Ports();
  Ports(const Ports&) = delete;
  Ports& operator=(const Ports&) = delete;

  void add(Listening listening);
  // All of them or none: those that are now open, with their real numbers.
  Result<std::vector<wire::PublishedPort>> publish(const std::vector<wire::PublishedPort>& ports);
  // All of them or none. A host_port of 0 means each that leads to the port of the guest's. Connections live on.
  Result<> unpublish(const std::vector<wire::PublishedPort>& ports);
  std::vector<wire::PublishedPort> list() const;

  // Whether a connection to there would end at one of these.
  bool holds(const policy::Address& address, std::uint16_t port) const;

 private:
  void accept(const Listening& from);
  void rest(const Listening& from);

  loop::Loop& loop_;
  MayAccept may_accept_;
  OnAccepted on_accepted_;
  std::list<Listening> open_;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::gate
