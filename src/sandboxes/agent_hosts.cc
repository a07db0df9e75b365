// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/agent_hosts.h"

#include <algorithm>

#include "secrets/services.h"

namespace sbx::sandboxes {

std::vector<std::string> agent_hosts(const agents::Agent& agent) {
  std::vector<std::string> hosts = agent.preset_hosts;
  for (const secrets::Service& service : secrets::services()) {
    if (!agent.any_service && service.name != agent.service) continue;
    for (const secrets::Place& place : service.places)
      for (const std::string& host : place.hosts)
        if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  }
  return hosts;
}

std::vector<policy::Edit> with_agent_hosts(const std::vector<policy::Edit>& edits, const agents::Agent* agent) {
  const std::vector<std::string> hosts = agent != nullptr ? agent_hosts(*agent) : std::vector<std::string>();
  std::vector<policy::Edit> all;
  for (const policy::Edit& edit : edits) {
    all.push_back(edit);
    if (edit.name != "preset") continue;
    for (const std::string& host : hosts) all.push_back({"allow-host", host});
  }
  return all;
}

}  // namespace sbx::sandboxes
