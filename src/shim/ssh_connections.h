// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>

#include "policy/target.h"
#include "sshagent/handshake.h"
#include "streams/stream.h"

namespace sbx::shim {

// The sandbox's open connections of SSH, and what the server of each has shown of itself. So a login that is to be
// signed can be told to be at one of them, and not at a server elsewhere that a client outside is connected to.
class SshConnections {
 public:
  // The stream to a server, which passes on as before. May outlive nothing of ours: all of them go first.
  std::unique_ptr<streams::Stream> watched(const policy::Target& target, std::unique_ptr<streams::Stream> server);

  // Whose server has proved itself by this: its host. Nothing: none that is open.
  std::optional<std::string> host_with(const sshagent::HostProof& proof) const;

 private:
  class Watched;
  struct Open {
    std::string host;
    sshagent::ServerHandshake handshake;
  };
  std::list<Open> open_;
};

}  // namespace sbx::shim
