// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string_view>

#include "agentloop/world.h"
#include "base/clock.h"
#include "exchange/exec_stream.h"

namespace sbx::cli {

// How long a short program of a loop's own may take. It is short by our intent only: git runs filters that the agent
// has chosen.
struct AskLimits {
  std::chrono::milliseconds longest = std::chrono::minutes(10);
  agentloop::IsCancelled is_cancelled = [] { return false; };
};

// Gives the program its input and reads what it says to its end. At the deadline, and when it is cancelled, the program
// is killed with its process group, and whether the guest obeys is not waited for: kTimeout.
Result<agentloop::World::Answer> answer_of(exchange::ExecStream stream, std::string_view input, SteadyTime deadline,
                                           const agentloop::IsCancelled& is_cancelled);

// Input that the program gets while its output is read; never waits for it to be taken.
void offer_all(exchange::ExecStream& stream, std::string_view input);

}  // namespace sbx::cli
