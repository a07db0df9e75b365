// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "base/format.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/loops/worker.h"
#include "cli/openclaw/configuration.h"
#include "cli/openclaw/session_command.h"
#include "cli/openclaw/session_log.h"
#include "cli/openclaw/session_sandbox.h"
#include "cli/terminal/signals.h"
#include "cli/views/output.h"
#include "cli/views/progress.h"
#include "cli/words/environment.h"

namespace sbx::cli::verbs {
namespace {

using openclaw::Decision;
using openclaw::Place;

constexpr int kTimedOut = 124;

// What is run, for whom, and by which word of the configuration.
struct Run {
  OpenclawConfiguration configuration;
  openclaw::Session session;
  openclaw::Settings settings;
  Decision decision;
  std::string tool;
  SessionCommand command;
};

// That of the configuration is the most; --timeout may say less.
Result<std::chrono::seconds> time_limit(const Arguments& arguments, const openclaw::Settings& settings) {
  if (!arguments.given("timeout")) return std::chrono::seconds(settings.timeout_s);
  const auto seconds = parse_duration(arguments.text("timeout"));
  if (!seconds || *seconds == 0) return fail(Code::kInvalid, "--timeout: must be a time such as 30s or 5m");
  if (settings.timeout_s != 0 && *seconds > settings.timeout_s)
    return fail(Code::kForbidden, sbx::format("--timeout: the configuration allows {} s", settings.timeout_s));
  return std::chrono::seconds(*seconds);
}

Result<> fill_command(const Context& context, const Arguments& arguments, Run& run) {
  agentloop::Turn& turn = run.command.turn;
  turn.command = arguments.rest();
  if (turn.command.empty())
    return fail(Code::kInvalid, "which command?", "sandbox openclaw exec KEY -- COMMAND [ARG...]");
  turn.whole_tree = true;
  turn.with_input = arguments.on("interactive");
  TRY_ASSIGN(turn.timeout, time_limit(arguments, run.settings));
  TRY_ASSIGN(turn.environment, environment_from(context, arguments));
  const bool is_sandboxed = run.decision.place == Place::kSandbox;
  turn.directory = arguments.text("workdir");
  if (turn.directory.empty() && is_sandboxed) turn.directory = run.settings.workdir;
  if (!is_sandboxed) return Ok{};
  run.command.user = run.settings.user;
  if (turn.with_input) run.command.input = &context.streams.in;
  turn.with_input = true;  // it ends where ours does
  return Ok{};
}

Result<Run> run_asked_for(const Context& context, const Client& client, const Arguments& arguments) {
  Run run;
  if (arguments.operands().size() != 1)
    return fail(Code::kInvalid, "which session?", "sandbox openclaw exec KEY -- COMMAND [ARG...]");
  TRY_ASSIGN(run.configuration, load_openclaw_configuration(client, arguments));
  TRY_ASSIGN(run.session, run.configuration.session(arguments.operands().front()));
  TRY_ASSIGN(run.settings, run.configuration.settings(run.session));
  run.tool = arguments.text("tool");
  if (trimmed(run.tool).empty()) return fail(Code::kInvalid, "--tool is empty");
  run.decision = openclaw::decide(run.settings, run.session, run.tool);
  TRY(fill_command(context, arguments, run));
  return run;
}

Result<> prepare(const Context& context, const Client& client, const Run& run) {
  if (run.decision.place == Place::kHost) {
    warn_of_host_mode(sbx::format("{} of session {} ({})", run.tool, run.session.key, run.decision.why));
    return Ok{};
  }
  TRY_ASSIGN(const auto pruned, prune_sessions(client, [&](const std::string& scope_key) {
               return run.configuration.prune_of(scope_key);
             }));
  for (const std::string& name : pruned) note("removed, as it is old or was not used for long: " + name);
  for (const std::string& held : run.settings.notes) log_debug("{}", held);
  Progress progress(context.streams.err, false);
  TRY(ready_session_sandbox(client, run.settings, run.decision, [&](const Step& step) { progress.show(step); }));
  return Ok{};
}

Result<agentloop::TurnResult> run_there(const Context& context, const Client& client, const Run& run, SessionLog& log) {
  // The command ends with this program: those who call it end it at timeouts of their own.
  TRY_ASSIGN(SignalReader signals, SignalReader::take({SIGINT, SIGTERM, SIGHUP}));
  const auto on_piece = [&](bool is_error, std::string_view bytes) {
    (void)write_all(is_error ? context.streams.err : context.streams.out, bytes);
    log.keep(bytes);
  };
  const auto is_cancelled = [&] { return signals.next().has_value(); };
  if (run.decision.place == Place::kHost) return run_on_host(run.command, on_piece, is_cancelled);
  return run_in_sandbox(client, run.decision.sandbox, run.command, on_piece, is_cancelled);
}

std::string ended_text(const agentloop::TurnResult& result) {
  if (result.end == agentloop::TurnEnd::kExited)
    return sbx::format("ended with {} after {} ms", result.code, result.duration_ms);
  return result.end == agentloop::TurnEnd::kTimeout ? "ended at its time limit, with all that it had started"
                                                    : "ended because it was cancelled";
}

}  // namespace

Result<int> openclaw_exec(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const Run run, run_asked_for(context, client, arguments));
  TRY_ASSIGN(const std::string home, sessions_home());
  TRY_ASSIGN(SessionLog log, SessionLog::open(home, run.session.key));
  if (!run.decision.tool.allowed) {
    log.line(sbx::format("{} refused: {}", run.tool, run.decision.tool.rule));
    return fail(Code::kForbidden,
                sbx::format("tool {} is denied in session {}: {}", printable(run.tool), printable(run.session.key),
                            run.decision.tool.rule),
                sbx::format("sandbox openclaw explain {}", printable(run.session.key)));
  }
  log.line(sbx::format("{} on {}: {}", run.tool,
                       run.decision.place == Place::kHost ? "this host" : run.decision.sandbox,
                       join(run.command.turn.command, " ")));
  const auto ready = prepare(context, client, run);
  const auto result =
      ready ? run_there(context, client, run, log) : Result<agentloop::TurnResult>(fail(Error(ready.error())));
  log.line(result ? ended_text(*result) : "not run: " + result.error().what());
  if (!result) return fail(Error(result.error()));
  if (result->end == agentloop::TurnEnd::kExited) return result->code;
  if (result->end == agentloop::TurnEnd::kTimeout)
    note(sbx::format("it was ended after {} s", run.command.turn.timeout / std::chrono::seconds(1)));
  return kTimedOut;
}

}  // namespace sbx::cli::verbs
