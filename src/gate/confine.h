// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"

namespace sbx::gate {

// Gives up every capability, new privileges and, as root, the user id (it becomes `id`; 0: an ordinary user, who
// stays). Bounds the files that it may write and dies with its parent, if that may still kill it. Before any thread is
// started.
inline constexpr std::uint64_t kLargestFile = 256u << 20;
Result<> give_up_privileges(std::uint32_t id, std::uint64_t largest_file = kLargestFile);

// From now on: the system calls of resolving, connecting, listening and SQLite. No exec, no fork, not even a thread; no
// links, no special files; sockets of the internet only. For all threads.
Result<> filter_system_calls();

}  // namespace sbx::gate
