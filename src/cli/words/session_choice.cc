// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/session_choice.h"

#include <limits>
#include <tuple>

#include "base/text.h"

namespace sbx::cli {
namespace {

bool runs(const wire::SessionInfo& session) { return session.state == wire::SessionState::kRunning; }

// Times are RFC 3339 of one clock, which sort as texts.
auto rank(const wire::SessionInfo& session) {
  return std::tuple(runs(session), session.clients == 0, session.used_at, session.session);
}

void keep_better(std::optional<wire::SessionInfo>& best, const wire::SessionInfo& session) {
  if (!best || rank(session) > rank(*best)) best = session;
}

}  // namespace

Result<wire::SessionNumber> parse_session(std::string_view text) {
  const auto number = parse_integer(text);
  if (!number || *number < 1 || *number > std::numeric_limits<wire::SessionNumber>::max())
    return fail(Code::kInvalid, "\"" + std::string(text) + "\" is not the number of a session");
  return static_cast<wire::SessionNumber>(*number);
}

std::optional<wire::SessionInfo> session_to_attach(const std::vector<wire::SessionInfo>& sessions) {
  std::optional<wire::SessionInfo> best;
  for (const auto& session : sessions) keep_better(best, session);
  return best;
}

AgentSessions agent_sessions(const std::vector<wire::SessionInfo>& sessions, const std::vector<std::string>& command) {
  AgentSessions found;
  for (const auto& session : sessions)
    if (session.agent && runs(session) && session.command == command)
      keep_better(session.clients == 0 ? found.left : found.elsewhere, session);
  return found;
}

}  // namespace sbx::cli
