// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "agentloop/loop_files.h"
#include "agentloop/world.h"
#include "base/result.h"
#include "cli/context.h"
#include "cli/loops/sandbox_world.h"

namespace sbx::cli {

// A loop's own process, `sandbox loop __work ID`: a client of the daemon like any other, in a session of its own, which
// outlives the command that started it. It gets the loop's lock, as descriptor 3, from the command.
Result<> start_worker(const Context& context, const agentloop::LoopFiles& files, const std::string& id, Fd lock);

// Its main: runs the loop to its end. The exit code.
Result<int> work(const Context& context, const std::string& id);

// Where the loop's programs run.
std::unique_ptr<agentloop::World> world_of(const Client& client, const agentloop::Settings& settings,
                                           const agentloop::LoopFiles& files, const AskLimits& limits = {});

// Tells the loop's process to end its agent and itself, and waits for it; where there is none, one is started for that.
// kTimeout: it does not end.
Result<> cancel_loop(const Context& context, const agentloop::LoopFiles& files, const std::string& id,
                     std::chrono::seconds limit = std::chrono::seconds(60));
// Waits until no process runs the loop. kTimeout as above.
Result<> wait_for_worker(const agentloop::LoopFiles& files, std::chrono::seconds limit);

// Takes the loop's commits out of the repository, or says why they stay.
void remove_refs(const Context& context, const agentloop::LoopFiles& files);

Result<> show_log(const Context& context, const agentloop::LoopFiles& files);
// Shows what the loop's log gets, from a byte on, until no process runs it.
Result<> follow_log(const Context& context, const agentloop::LoopFiles& files, std::int64_t from);

// 0 if the task is done.
Result<int> exit_code_of(const agentloop::LoopFiles& files);

Result<std::string> loops_home();

// What is loud enough not to be overlooked: the agent runs on the host.
void warn_of_host_mode(const std::string& what);

// AGENT_LOOP_HOST=1, and 0.
bool wants_host_mode();
bool refuses_host_mode();

}  // namespace sbx::cli
