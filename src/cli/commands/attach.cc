// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/format.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/session.h"
#include "cli/terminal/terminal.h"
#include "cli/views/output.h"
#include "cli/views/session_listing.h"
#include "cli/words/session_choice.h"

namespace sbx::cli::verbs {
namespace {

using Sessions = std::vector<wire::SessionInfo>;

Result<wire::SessionInfo> named(const Context& context, const Sessions& sessions, const std::string& sandbox,
                                const std::string& text) {
  TRY_ASSIGN(const auto number, parse_session(text));
  const auto found = std::ranges::find(sessions, number, &wire::SessionInfo::session);
  if (found != sessions.end()) return *found;
  return fail(Code::kNotFound, sbx::format("sandbox {} has no session {}", sandbox, number),
              sbx::format("{} sessions {}", context.program, sandbox));
}

// One line about a choice that was ours, or about one that has ended.
void introduce(const Context& context, const Sessions& sessions, const std::string& sandbox,
               const wire::SessionInfo& session, bool was_named) {
  if (session.state == wire::SessionState::kEnded)
    note(sbx::format("session {} of {} has ended, {}; this is what it printed last", session.session, sandbox,
                     time_ago(session.ended_at, now())));
  else if (!was_named && sessions.size() > 1)
    note(sbx::format("session {} of {}; the others: {} sessions {}", session.session, sandbox, context.program,
                     sandbox));
}

}  // namespace

Result<int> attach(Context& context, const Arguments& arguments) {
  const auto& operands = arguments.operands();
  const std::string& sandbox = operands[0];
  wire::AttachRequest request;
  request.read_only = arguments.on("read-only");
  if (!request.read_only && !is_terminal(context.streams.in))
    return fail(Code::kInvalid, "the input device is not a TTY",
                sbx::format("{} attach --read-only {}", context.program, sandbox));
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const Sessions sessions, list_sessions(client, sandbox));
  auto session = session_to_attach(sessions);
  if (operands.size() > 1) {
    TRY_ASSIGN(session, named(context, sessions, sandbox, operands[1]));
  }
  if (!session)
    return fail(Code::kNotFound, sbx::format("sandbox {} has no session", sandbox),
                sbx::format("{} run {}", context.program, sandbox));
  introduce(context, sessions, sandbox, *session, operands.size() > 1);
  TRY_ASSIGN(const SessionEnd end,
             attach_to_session(context, client, sandbox, session->session, request, arguments.text("detach-keys")));
  return end.code;
}

}  // namespace sbx::cli::verbs
