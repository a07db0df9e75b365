// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/session.h"

#include <signal.h>

#include <optional>

#include "base/format.h"
#include "cli/client/remote.h"
#include "cli/terminal/attach.h"
#include "cli/terminal/logins.h"
#include "cli/terminal/terminal.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

constexpr int kSignalBase = 128;

constexpr int kNoSuchCommand = 127;

// The agent, in a sandbox of an image that is not made for it.
Error no_agent(const Context& context, const std::string& sandbox, const std::string& binary) {
  return {Code::kNotFound,
          sbx::format("agent binary \"{}\" not found in sandbox: verify this is the correct sandbox type", binary),
          sbx::format("{} exec -it {} sh", context.program, sandbox)};
}

// `agent`: the program of a request for the sandbox's agent; of others, empty.
int code_of(const Context& context, const std::string& sandbox, const std::string& agent, const wire::ExecExit& exit) {
  if (exit.error.empty()) return exit.code;
  const bool lacks_agent = !agent.empty() && exit.code == kNoSuchCommand;
  context.print_error(lacks_agent ? no_agent(context, sandbox, agent) : Error(Code::kInternal, exit.error));
  return exit.code;
}

std::string agent_of(const wire::ExecRequest& request) {
  return request.agent && !request.command.empty() ? request.command.front() : "";
}

// That the command runs on, and how to come back to it.
void note_left(const Context& context, const std::string& sandbox, wire::SessionNumber session) {
  const std::string line = session == 0
                               ? "read escape sequence"
                               : sbx::format("left session {0} of {1}, which runs on; back: {2} attach {1} {0}",
                                             session, sandbox, context.program);
  note(is_terminal(context.streams.err) ? "\r\n" + line : line);  // the cursor may be anywhere in a line
}

struct Conclude {
  const Context& context;
  const std::string& sandbox;
  const std::string& agent;

  SessionEnd operator()(const wire::ExecExit& exit) const { return {code_of(context, sandbox, agent, exit), false}; }
  SessionEnd operator()(const DetachedByKeys& detached) const {
    note_left(context, sandbox, detached.session);
    return {0, true};
  }
  SessionEnd operator()(const OutputClosed&) const { return {kSignalBase + SIGPIPE, false}; }
  SessionEnd operator()(const Interrupted& interrupted) const {
    if (interrupted.session != 0) note_left(context, sandbox, interrupted.session);
    return {kSignalBase + interrupted.signal, interrupted.session != 0};
  }
};

Result<SessionEnd> converse(const Context& context, const Client& client, const std::string& sandbox,
                            const std::string& agent, exchange::Upgraded upgraded, AttachOptions options) {
  Result<Outcome> outcome = DetachedByKeys{};
  {
    Logins logins(client, sandbox);
    if (!options.read_only)
      options.on_link = [&](const std::string& address, LinkAge age) { return logins.take(address, age); };
    std::optional<RawMode> raw;
    if (options.tty && options.interactive && is_terminal(context.streams.in)) {
      TRY_ASSIGN(RawMode entered, RawMode::enter(context.streams.in));
      raw.emplace(std::move(entered));
    }
    outcome = attach(std::move(upgraded), std::move(options), context.streams);
  }
  // What follows is shown after the terminal's mode is restored.
  TRY(outcome);
  return std::visit(Conclude{context, sandbox, agent}, *outcome);
}

}  // namespace

Result<SessionEnd> run_session(const Context& context, const Client& client, const std::string& sandbox,
                               wire::ExecRequest request, std::string_view detach_keys) {
  TRY_ASSIGN(DetachKeys keys, DetachKeys::parse(detach_keys));
  if (request.tty) request.window = window_of(context.streams);
  TRY_ASSIGN(exchange::Upgraded upgraded, open_exec(client, sandbox, request));
  return converse(context, client, sandbox, agent_of(request), std::move(upgraded),
                  {request.tty, request.interactive, std::move(keys), false});
}

Result<SessionEnd> attach_to_session(const Context& context, const Client& client, const std::string& sandbox,
                                     wire::SessionNumber session, wire::AttachRequest request,
                                     std::string_view detach_keys) {
  TRY_ASSIGN(DetachKeys keys, DetachKeys::parse(detach_keys));
  request.window = window_of(context.streams);
  TRY_ASSIGN(exchange::Upgraded upgraded, open_session(client, sandbox, session, request));
  const bool interactive = !request.read_only || is_terminal(context.streams.in);
  return converse(context, client, sandbox, "", std::move(upgraded),
                  {true, interactive, std::move(keys), request.read_only});
}

Result<int> start_detached(const Context& context, const Client& client, const std::string& sandbox,
                           const wire::ExecRequest& request) {
  TRY_ASSIGN(const wire::ExecExit exit, exec_detached(client, sandbox, request));
  return code_of(context, sandbox, agent_of(request), exit);
}

}  // namespace sbx::cli
