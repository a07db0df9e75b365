// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx::guest {

// Starts the processors that the kernel has found and not started. An emulated machine boots with its first one only
// (maxcpus=1; src/backends/qemu/machine/command_line.cc says why). Returns when they run; nothing to do is no error.
Result<> start_processors(const std::string& directory = "/sys/devices/system/cpu");

}  // namespace sbx::guest
