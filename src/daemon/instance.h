// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

#include "base/fd.h"
#include "base/home.h"
#include "base/result.h"

namespace sbx::daemon {

// Makes the home (0700) if it is not there. One that others can read is made private.
Result<> prepare_home(const Home& home);

// The lock that makes this process the daemon of its home, for as long as it is open. Nothing: another one is.
Result<std::optional<Fd>> take_instance_lock(const Home& home);

// Waits until that other one serves (or gives up its lock: then we may try again, and the answer is false).
Result<bool> await_other(const Home& home, std::chrono::milliseconds limit);

// Keeps one old generation of a log beyond 10 MiB. Standard error, if it is that file, is pointed to the new one.
Result<> rotate_log(const Home& home);

}  // namespace sbx::daemon
