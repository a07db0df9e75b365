// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "agentloop/promise.h"
#include "base/choice.h"
#include "base/members.h"

namespace sbx::agentloop {

// What becomes of the files of an iteration whose agent has failed: it ended with an error or was ended.
enum class OnFail { kKeep, kRevert };
constexpr auto choices(OnFail) {
  return std::to_array<Choice<OnFail>>({{OnFail::kKeep, "keep"}, {OnFail::kRevert, "revert"}});
}

// Who is asked in an iteration.
struct AgentChoice {
  std::string agent;
  std::string program;  // in the place of the agent's own, if not empty
  std::string model;    // empty: the agent's own choice
};
void describe(Members& members, AgentChoice& choice);

// What a loop was asked for, and does not change. Times of 0 are no limit.
struct Settings {
  std::string id;
  std::string turn_key;  // a secret that names of turns are made of; empty: the agent can guess where they are kept
  std::string agent;
  std::string program;  // in the place of the agent's own, if not empty
  std::vector<std::string> arguments;
  std::vector<AgentChoice> rotation;  // in turn, one each iteration; empty: the agent above
  bool asks_permission = false;       // the agent is not told that it may do everything
  std::string sandbox;                // empty: on the host, or in the guest that it runs in
  std::string directory;              // where the agent works
  std::string worktree;               // a git worktree of this name in the directory is where it works, if not empty
  std::string prompt;                 // the task, in words
  std::string prompt_template;        // what is asked instead of our own words, with {{prompt}} and others in it
  std::string prd;                    // a path in the directory
  std::string tasks;                  // the same
  std::int64_t most = 30;             // iterations; 0: no limit
  std::int64_t least = 1;
  std::string promise;
  std::string abort_promise;
  std::string task_promise;  // for the template
  bool tagged_only = false;  // a promise without its tag does not count
  std::string until_command;
  std::int64_t iteration_timeout_s = 20 * 60;
  std::int64_t idle_timeout_s = 10 * 60;
  std::int64_t budget_s = 4 * 60 * 60;
  bool goes_on = false;
  OnFail on_fail = OnFail::kKeep;
  bool stops_when_stuck = true;
  bool commits = false;  // each iteration on the user's branch as well, as ralph does
  std::vector<std::pair<std::string, std::string>> environment;

  AgentChoice choice(std::int64_t iteration) const;
  PromiseForm form() const { return tagged_only ? PromiseForm::kTagged : PromiseForm::kPlain; }
};
void describe(Members& members, Settings& settings);

}  // namespace sbx::agentloop
