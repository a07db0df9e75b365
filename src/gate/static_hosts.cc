// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/static_hosts.h"

#include "policy/host.h"

namespace sbx::gate {

Result<StaticHosts> static_hosts(const std::vector<wire::StaticHost>& hosts) {
  StaticHosts known;
  for (const wire::StaticHost& each : hosts) {
    TRY_ASSIGN(const policy::Host name, policy::Host::parse(each.name));
    const auto address = policy::Address::parse(each.address);
    if (!address) return fail(Code::kInvalid, "static host " + each.name + ": " + each.address + " is not an address");
    known[name.text()].push_back(*address);
  }
  return known;
}

}  // namespace sbx::gate
