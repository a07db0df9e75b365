// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "agentloop/settings.h"
#include "agentloop/state.h"

// When a loop ends. Pure.
namespace sbx::agentloop {

struct Stop {
  Outcome outcome;
  std::string reason;
};

inline constexpr int kMostWithoutChange = 3;

// Before an iteration: whether there may be one more.
std::optional<Stop> limit_reached(const Settings& settings, const State& state);

// What an iteration has shown about the task as a whole.
struct Evidence {
  bool promised = false;
  bool aborted = false;
  std::optional<int> until_code{};
  bool has_list = false;   // of stories or tasks
  bool list_done = false;  // all of them
};

// After an iteration: whether the task is done. The exit code of the user's own command beats every promise; where
// there is a list, all of it has to be done, too.
std::optional<Stop> end_of_task(const Settings& settings, const Evidence& evidence, std::int64_t iteration);

// Whether the story that an iteration was about passes: the agent has claimed it, and the user's own command, where
// there is one, agrees.
bool story_passes(bool claimed, std::optional<int> until_code);

}  // namespace sbx::agentloop
