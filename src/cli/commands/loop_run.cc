// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/loop_files.h"
#include "base/format.h"
#include "cli/commands/verbs.h"
#include "cli/loops/loop_wish.h"
#include "cli/loops/worker.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

Result<LoopSandboxWish> wish_of(const Context& context, const Arguments& arguments,
                                const agentloop::Settings& settings) {
  if (settings.sandbox.empty()) return LoopSandboxWish{};
  return loop_sandbox_wish(context, arguments, settings.id, settings.agent);
}

}  // namespace

Result<int> loop_run(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const agentloop::Settings settings, loop_settings(context, arguments));
  TRY_ASSIGN(const LoopSandboxWish wish, wish_of(context, arguments, settings));
  TRY(begin_loop(context, settings, wish));
  if (arguments.on("detach")) {
    print(settings.id + "\n");
    return 0;
  }
  note(sbx::format("loop {}: it goes on without this terminal; {} loop cancel {} ends it", settings.id, context.program,
                   settings.id));
  TRY_ASSIGN(const std::string home, loops_home());
  TRY_ASSIGN(const agentloop::LoopFiles files, agentloop::LoopFiles::open(home, settings.id));
  TRY(follow_log(context, files, 0));
  TRY_ASSIGN(const agentloop::State state, files.state());
  if (state.status != agentloop::Status::kEnded)
    note(sbx::format("the loop was interrupted; {} loop resume {} goes on", context.program, settings.id));
  return exit_code_of(files);
}

Result<int> loop_work(Context& context, const Arguments& arguments) {
  return work(context, arguments.operands().front());
}

}  // namespace sbx::cli::verbs
