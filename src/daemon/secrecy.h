// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

namespace sbx::daemon {

// Secrets pass through this process, in strings and JSON: its memory is in no core dump and cannot be read by others of
// the same user (PR_SET_DUMPABLE), and, with the operator delete that comes with this file, what is freed is wiped.
// What is kept longer is a secrets::Secret.
Result<> keep_memory_private();

}  // namespace sbx::daemon
