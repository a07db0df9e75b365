// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "agentloop/engine.h"
#include "agentloop/loop_files.h"
#include "base/text.h"
#include "cli/commands/verbs.h"
#include "cli/loops/worker.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/terminal_text.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

using agentloop::Iteration;
using agentloop::LoopFiles;
using agentloop::State;

// Iteration 0 is what was there before the first.
Result<const Iteration*> iteration_of(const State& state, const std::string& text) {
  const auto number = parse_integer(text);
  const auto last = static_cast<std::int64_t>(state.iterations.size());
  if (!number || *number < 0 || *number > last)
    return fail(Code::kInvalid, printable(text) + ": the iterations of this loop are 0 to " + std::to_string(last));
  const Iteration& found = *number == 0 ? state.begin : state.iterations[static_cast<std::size_t>(*number) - 1];
  if (found.commit.empty()) return fail(Code::kUnavailable, "nothing was kept of that iteration: " + state.note);
  return &found;
}

struct Kept {
  LoopFiles files;
  State state;
  agentloop::Settings settings;
};

Result<Kept> kept_of(const Arguments& arguments) {
  TRY_ASSIGN(const std::string home, loops_home());
  TRY_ASSIGN(const LoopFiles files, LoopFiles::open(home, arguments.operands().front()));
  TRY_ASSIGN(State state, files.state());
  TRY_ASSIGN(agentloop::Settings settings, files.settings());
  return Kept{files, std::move(state), std::move(settings)};
}

}  // namespace

Result<int> loop_diff(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Kept kept, kept_of(arguments));
  const bool is_one = arguments.operands().size() > 1;
  TRY_ASSIGN(const Iteration* to,
             iteration_of(kept.state, is_one ? arguments.operands()[1] : std::to_string(kept.state.iterations.size())));
  const Iteration& from = is_one ? agentloop::base_of(kept.state, to->number) : kept.state.begin;
  TRY_ASSIGN(const Client client, context.client());
  const auto world = world_of(client, kept.settings, kept.files);
  agentloop::Checkpoints checkpoints(*world, kept.settings.id, working_directory(kept.settings));
  TRY_ASSIGN(const std::string text, checkpoints.diff(from.commit, to->commit));
  TerminalText shown;
  TRY(write_all(context.streams.out, is_terminal(context.streams.out) ? shown.shown(text) + shown.rest() : text));
  return 0;
}

Result<int> loop_undo(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Kept kept, kept_of(arguments));
  TRY_ASSIGN(const Iteration* to, iteration_of(kept.state, arguments.operands()[1]));
  // Nothing else of the loop may write meanwhile.
  const auto lock = kept.files.take_lock_after_end();
  if (!lock) return fail(Error(lock.error()).with_hint("sandbox loop cancel " + kept.settings.id));
  TRY_ASSIGN(const Client client, context.client());
  const auto world = world_of(client, kept.settings, kept.files);
  agentloop::Checkpoints checkpoints(*world, kept.settings.id, working_directory(kept.settings));
  TRY(checkpoints.restore(to->commit));
  return 0;
}

}  // namespace sbx::cli::verbs
