// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/going_back.h"

#include "base/format.h"
#include "cli/client/remote.h"
#include "cli/views/output.h"
#include "cli/views/session_listing.h"
#include "cli/words/session_choice.h"

namespace sbx::cli {
namespace {

std::string way_to(const Context& context, const std::string& sandbox, wire::SessionNumber session) {
  return sbx::format("{} attach {} {}", context.program, sandbox, session);
}

void say(const GoingBack& how, const std::string& line) {
  if (!how.is_quiet) note(line);
}

}  // namespace

Result<std::optional<SessionEnd>> go_back(const Context& context, const Client& client, const std::string& sandbox,
                                          const wire::ExecRequest& request, const GoingBack& how) {
  // A sandbox that an older version started has no sessions; whatever else is wrong, the start of a new one will tell.
  const auto sessions = list_sessions(client, sandbox);
  if (!sessions) return std::optional<SessionEnd>();
  auto [left, elsewhere] = agent_sessions(*sessions, request.command);
  if (left && how.is_special) {
    say(how, sbx::format("a new session, for its own -e or -w; session {} runs on: {}", left->session,
                         way_to(context, sandbox, left->session)));
    return std::optional<SessionEnd>();
  }
  if (left) {
    say(how, sbx::format("back in session {} of {}, started {}; --new starts another", left->session, sandbox,
                         time_ago(left->started_at, now())));
    wire::AttachRequest alone;
    alone.alone = true;
    auto end = attach_to_session(context, client, sandbox, left->session, alone, how.detach_keys);
    if (end) return std::optional(*end);
    const Code code = end.error().code();
    if (code != Code::kConflict && code != Code::kNotFound) return fail(std::move(end).error());
    if (code == Code::kConflict) elsewhere = left;  // another client was faster
  }
  if (elsewhere)
    say(how, sbx::format("a new session: session {} is attached elsewhere; to join it: {}", elsewhere->session,
                         way_to(context, sandbox, elsewhere->session)));
  return std::optional<SessionEnd>();
}

}  // namespace sbx::cli
