// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentloop/ledger.h"
#include "agentloop/ralph_history.h"
#include "agentloop/ralph_options.h"
#include "base/fd.h"
#include "base/json.h"

namespace sbx::agentloop {

inline constexpr std::string_view kRalphTasks = ".ralph/ralph-tasks.md";

// .ralph/ in a directory, in the form that tools for it read:
//   ralph-loop.state.json  the loop that is active; "engine" in it is what ours goes on from
//   ralph-history.json     its iterations, also after its end at a limit; "filesModified" of the last 20 only
//   ./ralph-context.md     what was added for the next iteration
//   ./ralph-tasks.md       the tasks
//   ralph-questions.json   what the agent has asked, until it is answered
// The directory itself is locked (flock) by the process that runs the loop: a file for that would be in the commits.
class RalphFiles : public Ledger {
 public:
  RalphFiles(std::string directory, RalphOptions options)
      : directory_(std::move(directory)), options_(std::move(options)) {}

  // The loop that was active when its process ended, with its own options; nothing if there is none.
  static std::optional<std::pair<RalphOptions, State>> active(const std::string& directory);

  std::string file(std::string_view name) const { return directory_ + "/.ralph/" + std::string(name); }
  // For one that goes on: what was heard of its iterations before.
  void recall();
  Result<> clear_state() const;
  Result<> clear_questions() const;
  Result<> clear_all() const;  // but the tasks

  Result<> save(const State& state) override;
  Result<std::string> take_context() override;
  Result<> keep_prompt(std::int64_t iteration, const std::string& prompt) override;
  std::optional<std::string> prompt(std::int64_t iteration) const override;
  void show(std::int64_t iteration, std::string_view text) override;
  bool is_cancelled() const override;
  bool is_paused() const override { return false; }

 private:
  Json state_json(const State& state) const;
  Json history_json(const State& state) const;
  void listen(std::string_view line);
  Result<> read_answer();

  std::string directory_;
  RalphOptions options_;
  std::map<std::int64_t, RalphHeard> heard_;
  Json asked_ = Json::array();  // questions of the iteration
  std::string line_;
  std::int64_t iteration_ = 0;
};

// kConflict: another ralph runs in that directory.
Result<Fd> lock_ralph(const std::string& directory);

// INT and TERM: the first ends the agent and the loop, the second the process.
void cancel_on_signals();

struct Struggle {
  int without_change = 0;  // iterations in a row, to the last
  int short_ones = 0;
};
Struggle struggle_of(const std::vector<Iteration>& iterations);

}  // namespace sbx::agentloop
