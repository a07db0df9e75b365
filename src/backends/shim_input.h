// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "backends/backend.h"
#include "base/members.h"
#include "wire/guest.h"
#include "wire/network_config.h"

namespace sbx::backends {

// What a daemon gives the shim that it starts: all that this is to know of its sandbox.
struct ShimInput {
  MachineSpec machine;
  wire::GuestConfig guest;
  std::optional<wire::NetworkConfig> network;  // none: nothing leaves the sandbox
};
void describe(Members& members, ShimInput& input);

}  // namespace sbx::backends
