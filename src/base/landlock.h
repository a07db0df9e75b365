// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// What we use of Landlock. The kernel's header may be older than the kernel that runs.
namespace sbx {

// To resolve the path of a unix socket: connect() and sendmsg() to one that was made outside of the domain of who asks.
inline constexpr std::uint64_t kLandlockResolveUnix = 1ull << 16;
inline constexpr int kLandlockWithResolveUnix = 9;  // the version of the interface that has it (Linux 7.1)

// Of the running kernel's interface; 0: it has none, or it is switched off.
int landlock_version();

}  // namespace sbx
