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
#include "shim/blob_door.h"
#include "shim/door.h"
#include "shim/ssh_agent_door.h"
#include "shim/vault_door.h"
#include "shim/visitors.h"
#include "wire/network_config.h"

namespace sbx::shim {

// The network of one sandbox: what its programs want to reach goes to the proxy, and from there through the door to the
// gate; who comes to a published port goes to the guest; what they ask of an ssh-agent goes to the signer.
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
    Fd signer;           // the line to it; none: the guest has no ssh-agent
    Fd blobs;            // the line to the cache; none: nothing of registries is kept
  };
  // Everything of OpenSSL's that needs a file happens here.
  static Result<std::unique_ptr<Network>> create(Inputs inputs);

  void serve(const wire::Connect& connect, std::unique_ptr<streams::Stream> client);
  void publish_to(ReachGuest reach_guest) { reach_guest_ = std::move(reach_guest); }

 private:
  explicit Network(Inputs& inputs);
  void accepted(std::uint16_t port, Fd socket);
  proxy::WatchTunnel tunnel_watch();

  ReachGuest reach_guest_;
  Door door_;
  VaultDoor vault_door_;
  SshConnections ssh_connections_;           // of the proxy's, which go first
  std::unique_ptr<SshAgentDoor> ssh_agent_;  // null: there is none
  std::unique_ptr<BlobDoor> blobs_;          // null: there is none
  std::unique_ptr<proxy::Proxy> proxy_;
  Visitors visitors_;
};

}  // namespace sbx::shim
