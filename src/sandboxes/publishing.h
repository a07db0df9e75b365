// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "sandboxes/gate.h"
#include "wire/network.h"

namespace sbx::sandboxes {

inline constexpr std::size_t kMostPorts = 256;

// What a sandbox may publish: host addresses are addresses, and no port of the host's is asked for twice.
Result<Ports> checked_ports(const Ports& ports);

// What --add-host may say: a name that is not the host's own, and an address.
Result<std::vector<wire::StaticHost>> checked_hosts(const std::vector<wire::StaticHost>& hosts);

// Whether what is asked for is published already: the same port of the sandbox on this port of the host, if it says
// one, and on this address, if the published one is not all of them.
bool serves(const wire::PublishedPort& published, const wire::PublishedPort& asked);

// The one of `recorded` that is published as `bound`: itself, or that which left the host's port open.
std::optional<wire::PublishedPort> recorded_as(const Ports& recorded, const wire::PublishedPort& bound);

}  // namespace sbx::sandboxes
