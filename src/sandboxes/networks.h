// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "netlog/losses.h"
#include "sandboxes/policies.h"
#include "sandboxes/registry.h"
#include "store/store.h"
#include "wire/network_config.h"

namespace sbx::sandboxes {

// What a sandbox has of the network besides its policy: ports, hosts of the user's choice, the log.
class Networks {
 public:
  Networks(const store::Store& store, const Registry& registry, const Policies& policies)
      : store_(store), registry_(registry), policies_(policies) {}

  // Takes away, then adds; what is published then. Entries to take away are as Registry::info() shows them.
  Result<Ports> change_ports(const std::string& name, const Ports& publish, const Ports& unpublish);
  // Gives hosts addresses of the user's choice, in place of those that they had: all of them then.
  Result<Hosts> add_hosts(const std::string& name, const Hosts& hosts);
  // Those of these ports that the sandbox does not publish yet. Nothing happens if it does.
  Result<> publish_missing_held(Sandbox& sandbox, const Ports& ports);
  Result<Hosts> add_hosts_held(Sandbox& sandbox, const Hosts& hosts);
  // Waits, no longer than this, until what was decided before is in the network log of a sandbox that runs. What that
  // log has lost, if its gate says so: the file may not tell yet.
  netlog::Losses flush_log(const std::string& name, std::chrono::milliseconds limit) const;

  // For a start: with which policy, ports and hosts.
  Result<wire::NetworkConfig> config_of(const Sandbox& sandbox) const;
  // What the gate has bound; if it cannot say, what it was told to bind.
  Ports bound_ports(const Sandbox& sandbox) const;

 private:
  Result<> publish_held(Sandbox& sandbox, const Ports& ports);
  Result<> unpublish_held(Sandbox& sandbox, const Ports& ports);
  Result<> save_ports(Sandbox& sandbox, const store::Record& record);

  const store::Store& store_;
  const Registry& registry_;
  const Policies& policies_;
};

}  // namespace sbx::sandboxes
