// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <compare>
#include <set>
#include <string>

#include "base/result.h"

namespace sbx::agentloop {

// One process, also when another has its number later.
struct Process {
  pid_t pid = 0;
  std::string started;  // as /proc has it

  auto operator<=>(const Process&) const = default;
};

// The children of this process: also those of processes that have ended, if this one is a subreaper
// (PR_SET_CHILD_SUBREAPER).
std::set<Process> own_children();

// Kills all processes that this one has started, and what they have started, and reaps them: also those in sessions of
// their own, if this process is a subreaper. The spared and theirs live on. kTimeout: some are still there, and new
// ones come faster than they can be killed. Reaps every child: the caller must not waitpid() concurrently.
Result<> end_descendants(const std::set<Process>& spared, std::chrono::milliseconds limit);

// Reaps children that have ended. Reaps every child: the caller must not waitpid() concurrently.
void reap_children();

}  // namespace sbx::agentloop
