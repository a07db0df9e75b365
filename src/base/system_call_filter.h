// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace sbx {

// A system call that may be made only if one of its arguments, of which the lower 32 bits count, is one of these.
struct RestrictedCall {
  long number;
  unsigned argument;  // from 0
  std::vector<std::uint32_t> values;
};

// From now on every thread of the calling process may make these system calls; any other fails with EPERM (with
// ENOSYS if it is newer than this source), and one of another architecture ends it. For good, for its children too. It
// must have refused new privileges before.
Result<> allow_only(std::span<const long> system_calls, std::span<const RestrictedCall> restricted = {});

}  // namespace sbx
