// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sbx::agentloop {

// What `ralph --status` prints: the loop that is active in a directory, if one is, what waits for its next iteration,
// the last iterations of this loop or the one before, and signs that it struggles; with tasks, also those.
std::string status_text(const std::string& directory, bool with_tasks);
std::string tasks_text(const std::string& directory);

}  // namespace sbx::agentloop
