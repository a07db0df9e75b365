// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/home.h"
#include "base/result.h"

namespace sbx::cli {

// Starts sandboxd in a session of its own, with its log as standard error, and returns when it serves. When another
// client starts one at the same moment, the second daemon sees the first one's lock, waits until that one serves and
// leaves: both clients find one daemon. Fails with what the daemon logged last when it does not come up.
Result<> start_daemon(const Home& home);

}  // namespace sbx::cli
