// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "agentloop/checkpoint.h"
#include "agentloop/ledger.h"
#include "agentloop/prd.h"
#include "agentloop/rules.h"
#include "agentloop/settings.h"
#include "agentloop/world.h"
#include "base/result.h"

namespace sbx::agentloop {

// A loop: asks the agent again and again until the task is done or a limit is reached. It may die at any moment; with
// the state that was saved last it goes on as if it had not. An iteration is, in this order: its prompt is kept, the
// agent runs, the user's command decides, the list is written, the files are committed, the result is saved. All before
// the last gives the same again when it is done again.
//
// Its fault points (base/fault.h): loop.begun, loop.asked, loop.decided, loop.listed, loop.committed, loop.saved.
class Engine {
 public:
  Engine(const Settings& settings, State& state, World& world, Ledger& ledger);

  // Until it has ended, which the state tells. An error is of the world's or the disk's; the loop can go on later.
  Result<> run();

 private:
  Result<> run_to_end();
  Result<> begin();
  Result<bool> wait_while_paused();
  Result<bool> begin_iteration();
  Result<std::string> ask_for_prompt();
  std::string from_template(const std::string& context);
  Result<> iterate();
  Result<TurnResult> ask_agent(const std::string& prompt, Evidence& evidence);
  Result<> end_agent();
  Result<> ask_command(Evidence& evidence);
  Result<> look_at_list(Evidence& evidence);
  Result<> look_at_story(Evidence& evidence);
  Result<> commit();
  void finish_iteration();
  Result<> end(const Stop& stop);
  Result<> save() { return ledger_.save(state_); }

  std::string turn_name(const std::string& step) const;
  Turn turn(const std::string& step, std::vector<std::string> command) const;
  Iteration& current() { return *state_.current; }

  Settings settings_;
  State& state_;
  World& world_;
  Ledger& ledger_;
  Checkpoints checkpoints_;
};

// What iteration `number` began with: the last before it that was not reverted.
const Iteration& base_of(const State& state, std::int64_t number);

// Where the agent works: the settings' directory, or the worktree in it.
std::string working_directory(const Settings& settings);

}  // namespace sbx::agentloop
