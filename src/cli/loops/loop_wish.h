// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "agentloop/settings.h"
#include "base/flags.h"
#include "base/result.h"
#include "cli/context.h"
#include "cli/loops/loop_sandbox.h"

namespace sbx::cli {

// What the flags of `loop run` ask for.
Result<agentloop::Settings> loop_settings(const Context& context, const Arguments& arguments);
// The sandbox for a tool of a loop that these flags ask for (`loop start`, `loop run`).
Result<LoopSandboxWish> loop_sandbox_wish(const Context& context, const Arguments& arguments, const std::string& id,
                                          const std::string& tool);
// The network policy that they ask for.
std::vector<wire::PolicyEdit> loop_policy(const Arguments& arguments);
// The directory that --workspace names, or the current one, absolute.
Result<std::string> loop_workspace(const Arguments& arguments);
// What names after a directory begin with: its own name, in small letters and digits, 30 at most; "loop" if it has
// none.
std::string name_stem(const std::string& directory);
// <directory>-<four digits>.
std::string new_loop_id(const std::string& workspace);
Result<std::string> checked_loop_id(const std::string& id);

// Makes the loop's files and its sandbox, and starts its process.
Result<> begin_loop(const Context& context, agentloop::Settings settings, const LoopSandboxWish& wish);

}  // namespace sbx::cli
