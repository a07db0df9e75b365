// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"

// A keeper and its vaults open nothing and execute nothing. A vault's filter is added to its keeper's.
namespace sbx::vault {

// Moves into an empty root, then gives up what the gate gives up (gate/confine.h), after it has made sure that secrets
// may be locked in memory. The process must have one thread.
Result<> give_up_all(std::uint32_t id);

// From now on: relays, TLS, a socket pair. And for a keeper: to fork, to end and to reap what it forked.
Result<> filter_keeper();
// From now on without these. Memory is locked as far as it may be.
Result<> confine_vault();

}  // namespace sbx::vault
