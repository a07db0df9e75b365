// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sbx {

// How many descriptors a process may have open (RLIMIT_NOFILE).
//
// The kernel also counts, for each user id, the descriptors that are on their way in unix sockets, and lets a process
// send no more when the count is above the limit of that process. An agent of an ordinary user's sandbox has that
// user's id. So daemon, shim and gate take all that they may, and a guest gets less: one that has filled the count up
// to its own limit stops its own sends and none of ours.
struct DescriptorLimits {
  std::uint64_t soft = 0;
  std::uint64_t hard = 0;
};

// The soft limit of this process becomes its hard one.
void raise_descriptor_limit();

// The soft limit is a usual one again: for programs that close all that they could have open, one by one, or use
// select(). Async-signal-safe.
void lower_descriptor_limit();

// What a guest gets whose host may have `hard`.
DescriptorLimits guest_descriptor_limits(std::uint64_t hard);
// The same for the limit of this process.
DescriptorLimits guest_descriptor_limits();

}  // namespace sbx
