// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fd.h"
#include "base/home.h"
#include "base/result.h"

namespace sbx::cli {

// Starts sandboxd in a session of its own, with its log as standard error, and returns when it serves. When another
// client starts one at the same moment, the second daemon sees the first one's lock, waits until that one serves and
// leaves: both clients find one daemon. One that is killed before it serves is started again, a few times. Fails with
// what the daemon logged last when it does not come up.
Result<> start_daemon(const Home& home);

// Whether the daemon at the other end runs another program than the one that start_daemon would start: after an update
// or a rebuild. What cannot be told is taken for ours.
bool is_outdated(const Fd& connection, const Home& home);

// Has the user's systemd start the daemon at the other end again, if that runs it as its unit, and returns when the new
// one serves. Only below systemd's groups can an ordinary user's limits be set, so it must not be our child afterwards.
// False: it is no unit's, or systemd cannot be asked.
bool restart_by_systemd(const Fd& connection);

// Asks the daemon at the other end to end, as `sandbox daemon stop` does, and waits until it has. Sandboxes run on.
Result<> end_daemon(const Fd& connection);

}  // namespace sbx::cli
