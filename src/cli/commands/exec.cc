// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/verbs.h"
#include "cli/terminal/session.h"
#include "cli/terminal/terminal.h"
#include "cli/words/environment.h"
#include "cli/words/preferences.h"

namespace sbx::cli::verbs {
namespace {

Result<wire::ExecRequest> exec_request_of(const Context& context, const Arguments& arguments) {
  wire::ExecRequest request;
  request.command = arguments.rest();
  request.interactive = arguments.on("interactive");
  request.tty = arguments.on("tty");
  request.detach = arguments.on("detach");
  request.privileged = arguments.on("privileged");
  request.user = arguments.text("user");
  request.directory = arguments.text("workdir");
  TRY_ASSIGN(request.environment, environment_from(context, arguments));
  request.preferences = terminal_preferences(request.tty);
  return request;
}

}  // namespace

Result<int> exec(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(wire::ExecRequest request, exec_request_of(context, arguments));
  const std::string& name = arguments.operands().front();
  if (request.tty && request.interactive && !request.detach && !is_terminal(context.streams.in))
    return fail(Code::kInvalid, "the input device is not a TTY", context.program + " exec -i " + name + " ...");
  TRY_ASSIGN(const Client client, context.client());
  if (request.detach) return start_detached(context, client, name, request);
  TRY_ASSIGN(const SessionEnd end,
             run_session(context, client, name, std::move(request), arguments.text("detach-keys")));
  return end.code;
}

}  // namespace sbx::cli::verbs
