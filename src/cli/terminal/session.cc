// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/session.h"

#include <signal.h>

#include <optional>

#include "cli/client/remote.h"
#include "cli/terminal/attach.h"
#include "cli/terminal/terminal.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

constexpr int kSignalBase = 128;

int code_of(const Context& context, const wire::ExecExit& exit) {
  if (!exit.error.empty()) print_error(Error(Code::kInternal, exit.error), context.streams.err);
  return exit.code;
}

struct Conclude {
  const Context& context;

  SessionEnd operator()(const wire::ExecExit& exit) const { return {code_of(context, exit), false}; }
  SessionEnd operator()(const DetachedByKeys&) const {
    note("read escape sequence");
    return {0, true};
  }
  SessionEnd operator()(const OutputClosed&) const { return {kSignalBase + SIGPIPE, false}; }
  SessionEnd operator()(const Interrupted& interrupted) const { return {kSignalBase + interrupted.signal, false}; }
};

}  // namespace

Result<SessionEnd> run_session(const Context& context, const Client& client, const std::string& sandbox,
                               wire::ExecRequest request, std::string_view detach_keys) {
  TRY_ASSIGN(DetachKeys keys, DetachKeys::parse(detach_keys));
  if (request.tty) request.window = window_of(context.streams);
  TRY_ASSIGN(Upgraded upgraded, open_exec(client, sandbox, request));
  Result<Outcome> outcome = DetachedByKeys{};
  {
    std::optional<RawMode> raw;
    if (request.tty && request.interactive && is_terminal(context.streams.in)) {
      TRY_ASSIGN(RawMode entered, RawMode::enter(context.streams.in));
      raw.emplace(std::move(entered));
    }
    outcome = attach(std::move(upgraded), {request.tty, request.interactive, std::move(keys)}, context.streams);
  }
  // What follows is shown after the terminal's mode is restored.
  TRY(outcome);
  return std::visit(Conclude{context}, *outcome);
}

Result<int> start_detached(const Context& context, const Client& client, const std::string& sandbox,
                           const wire::ExecRequest& request) {
  TRY_ASSIGN(const wire::ExecExit exit, exec_detached(client, sandbox, request));
  return code_of(context, exit);
}

}  // namespace sbx::cli
