// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/result.h"

namespace sbx {

// From now on the calling process may make these system calls; any other fails with EPERM, and one of another
// architecture ends it. For good, for its children too. It must have refused new privileges before.
Result<> allow_only(std::span<const long> system_calls);

}  // namespace sbx
