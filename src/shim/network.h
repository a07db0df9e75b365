// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "loop/loop.h"
#include "proxy/proxy.h"
#include "shim/door.h"
#include "shim/vault_door.h"
#include "shim/visitors.h"
#include "wire/network_config.h"

namespace sbx::shim {

// The network of one sandbox: what its programs want to reach goes to the proxy, and from there through the door to the
// gate; who comes to a published port goes to the guest.
class Network {
 public:
  // A connection to this port on the guest's loopback; null if the guest is gone.
  using ReachGuest = std::function<std::unique_ptr<streams::Stream>(std::uint16_t port)>;

  struct Inputs {
    loop::Loop& loop;
    std::string sandbox;
    const wire::NetworkConfig& config;
    std::string ca_key;  // PEM
    Fd gate;             // the line to it
    Fd keeper;           // of the vault: the line to it
    Fd roots;            // tls::Trust::open_bundle()
  };
  // Everything of OpenSSL's that needs a file happens here.
  static Result<std::unique_ptr<Network>> create(Inputs inputs);

  void serve(const wire::Connect& connect, std::unique_ptr<streams::Stream> client);
  void publish_to(ReachGuest reach_guest) { reach_guest_ = std::move(reach_guest); }

 private:
  Network(loop::Loop& loop, Fd gate, Fd keeper);
  void accepted(std::uint16_t port, Fd socket);

  ReachGuest reach_guest_;
  Door door_;
  VaultDoor vault_door_;
  std::unique_ptr<proxy::Proxy> proxy_;
  Visitors visitors_;
};

}  // namespace sbx::shim
