// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "wire/exec.h"

namespace sbx::guest {

// Init's own programs (see ExecRequest::builtin): pack, unpack, stat, list, read, hold, changes, connect, listens. Runs
// in a fork of init that has become the user, on its standard descriptors, with blocking I/O, and returns the exit
// code. Errors are one line on standard error.
struct OwnChanges {
  const Fd* directory = nullptr;  // GuestMachine::changes()
  std::vector<std::string> mount_points = {};
};
int run_builtin(const wire::ExecRequest& request, const OwnChanges& own = {});

}  // namespace sbx::guest
