// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include "agentloop/loop_files.h"
#include "base/text.h"
#include "cli/commands/verbs.h"
#include "cli/loops/worker.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

using agentloop::LoopFiles;

Result<LoopFiles> loop_of(const Arguments& arguments) {
  TRY_ASSIGN(const std::string home, loops_home());
  return LoopFiles::open(home, arguments.operands().front());
}

Result<> check_runs(const LoopFiles& files, const std::string& id) {
  TRY_ASSIGN(const agentloop::State state, files.state());
  if (state.status == agentloop::Status::kEnded)
    return fail(Code::kConflict, "the loop has ended: " + printable(state.reason), "sandbox loop resume " + id);
  return Ok{};
}

// A loop that runs looks at it before each iteration.
Result<> change_most(const LoopFiles& files, const Arguments& arguments) {
  if (!arguments.given("max")) return Ok{};
  const auto most = parse_integer(arguments.text("max"));
  if (!most || *most < 0) return fail(Code::kInvalid, "--max: must be a number of iterations");
  TRY_ASSIGN(agentloop::Settings settings, files.settings());
  settings.most = *most;
  return files.replace_settings(settings);
}

// A loop that had ended goes on as if it had not: the iteration that was cancelled is begun anew. For the holder of the
// lock.
Result<> begin_again(LoopFiles& files, agentloop::State state) {
  if (state.status == agentloop::Status::kEnded) {
    state.attempt += 1;
    state.stuck_from = state.next() - 1;
  }
  state.status = agentloop::Status::kRunning;
  state.outcome = agentloop::Outcome::kNone;
  state.reason.clear();
  state.ended_at.clear();
  return files.save(state);
}

}  // namespace

Result<int> loop_logs(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const LoopFiles files, loop_of(arguments));
  if (arguments.on("follow")) {
    TRY(follow_log(context, files, 0));
    return 0;
  }
  TRY(show_log(context, files));
  return 0;
}

Result<int> loop_add_context(Context&, const Arguments& arguments) {
  TRY_ASSIGN(const LoopFiles files, loop_of(arguments));
  TRY(check_runs(files, arguments.operands().front()));
  TRY(files.add_context(arguments.operands()[1]));
  return 0;
}

Result<int> loop_pause(Context&, const Arguments& arguments) {
  TRY_ASSIGN(const LoopFiles files, loop_of(arguments));
  TRY(check_runs(files, arguments.operands().front()));
  TRY(files.want_pause(true));
  return 0;
}

Result<int> loop_resume(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(LoopFiles files, loop_of(arguments));
  auto lock = files.take_lock_after_end();
  if (!lock && lock.error().code() != Code::kConflict) return fail(Error(lock.error()));
  TRY_ASSIGN(agentloop::State state, files.state());
  if (state.outcome == agentloop::Outcome::kComplete)
    return fail(Code::kConflict, "the loop's task is done", "sandbox loop end " + arguments.operands().front());
  TRY(change_most(files, arguments));
  TRY(files.want_pause(false));
  if (!lock) return 0;  // its process goes on
  TRY(files.want_cancel(false));
  TRY(begin_again(files, std::move(state)));
  TRY(start_worker(context, files, arguments.operands().front(), std::move(*lock)));
  return 0;
}

Result<int> loop_cancel(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const LoopFiles files, loop_of(arguments));
  TRY(cancel_loop(context, files, arguments.operands().front()));
  return 0;
}

}  // namespace sbx::cli::verbs
