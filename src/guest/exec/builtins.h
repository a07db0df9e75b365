// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "wire/exec.h"

namespace sbx::guest {

// Init's own programs (see ExecRequest::builtin): pack, unpack, stat, hold, changes. Runs in a fork of init that has
// become the user, on its standard descriptors, with blocking I/O, and returns the exit code. Errors are one line on
// standard error.
int run_builtin(const wire::ExecRequest& request);

}  // namespace sbx::guest
