// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "netlog/losses.h"
#include "policy/rules.h"
#include "sandboxes/control_socket.h"
#include "wire/network.h"

namespace sbx::sandboxes {

using Ports = std::vector<wire::PublishedPort>;
using Hosts = std::vector<wire::StaticHost>;

// The control socket of a running sandbox's gate, vm/<name>/network.sock (docs/life-of-a-connection.md).
class GateSocket {
 public:
  explicit GateSocket(std::string path) : socket_(std::move(path)) {}

  // Returns when what the rules forbid is closed.
  Result<> set_policy(const policy::Rules& rules) const;
  Result<> publish(const Ports& ports) const;
  Result<> unpublish(const Ports& ports) const;
  Result<> set_hosts(const std::vector<wire::StaticHost>& hosts) const;
  // Returns when what was decided before is in the log: what is not, because it could not be written.
  Result<netlog::Losses> flush_log(std::chrono::milliseconds limit) const;
  Result<Ports> ports() const;  // those on which it listens, with their numbers

 private:
  ControlSocket socket_;
};

}  // namespace sbx::sandboxes
