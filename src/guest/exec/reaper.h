// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>

namespace sbx::guest {

// Collects every child that has ended, ours and the orphans that PID 1 inherits, and hands each to the function with
// its wait status. False when no child is left at all.
bool reap_children(const std::function<void(pid_t pid, int status)>& ended);

}  // namespace sbx::guest
