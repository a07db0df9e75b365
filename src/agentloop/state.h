// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agentloop/turn.h"
#include "base/choice.h"
#include "base/members.h"

namespace sbx::agentloop {

enum class Status { kStarting, kRunning, kPaused, kEnded };
constexpr auto choices(Status) {
  return std::to_array<Choice<Status>>({{Status::kStarting, "starting"},
                                        {Status::kRunning, "running"},
                                        {Status::kPaused, "paused"},
                                        {Status::kEnded, "ended"}});
}

// Why a loop has ended.
enum class Outcome { kNone, kComplete, kMost, kBudget, kStuck, kCancelled, kAborted, kFailed };
constexpr auto choices(Outcome) {
  return std::to_array<Choice<Outcome>>({{Outcome::kNone, ""},
                                         {Outcome::kComplete, "complete"},
                                         {Outcome::kMost, "max-iterations"},
                                         {Outcome::kBudget, "budget"},
                                         {Outcome::kStuck, "no-progress"},
                                         {Outcome::kCancelled, "cancelled"},
                                         {Outcome::kAborted, "aborted"},
                                         {Outcome::kFailed, "failed"}});
}

// What one iteration came to.
struct Iteration {
  std::int64_t number = 0;
  std::string started_at;
  std::string ended_at;
  std::int64_t duration_ms = 0;
  int exit_code = 0;
  TurnEnd end = TurnEnd::kExited;
  bool promised = false;
  std::optional<int> until_code;  // of the command that decides
  std::string story;              // id
  bool passed = false;            // the story
  std::string commit;             // what the directory was like then; empty: that is not known
  std::string tree;
  std::int64_t changed = -1;       // files; -1: not known
  std::vector<std::string> files;  // the first of them; of the last 20 iterations only
  bool reverted = false;

  bool failed() const { return exit_code != 0 || end != TurnEnd::kExited; }
};
void describe(Members& members, Iteration& iteration);

// All that a loop knows of itself. One that dies goes on from what was written last.
struct State {
  Status status = Status::kStarting;
  Outcome outcome = Outcome::kNone;
  std::string reason;  // in words
  std::string started_at;
  std::string ended_at;
  std::int64_t elapsed_ms = 0;  // of its iterations
  std::int64_t attempt = 1;     // counts how often a loop that had ended was told to go on
  std::int64_t stuck_from = 0;  // iterations up to this one are not counted as without progress
  Iteration begin;              // the directory before the first iteration
  std::optional<Iteration> current;
  std::vector<Iteration> iterations;
  std::string note;  // for the user: what this loop cannot do, and why

  std::int64_t next() const { return static_cast<std::int64_t>(iterations.size()) + 1; }
};
void describe(Members& members, State& state);

}  // namespace sbx::agentloop
