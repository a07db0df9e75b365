// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx::layers {

enum class Task {
  kUnpack,  // may own and change files
  kPack,    // may read them, whosever they are, and nothing on them is a device
};

// For a process with one thread that is root, of the host or of a user namespace: from now on the directory is its root
// and working directory, and it sees no other file, has no network, may do there what the task needs, and may not start
// a program. Its open descriptors stay. The mounts go with it.
Result<> enter_jail(const std::string& directory, Task task);

}  // namespace sbx::layers
