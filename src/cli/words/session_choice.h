// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/session.h"

namespace sbx::cli {

Result<wire::SessionNumber> parse_session(std::string_view text);

// Which session is meant where the user names none: the one that was used last, of those that run before those that
// have ended, and of those that run one without a client before the others. Nothing: there is none.
std::optional<wire::SessionInfo> session_to_attach(const std::vector<wire::SessionInfo>& sessions);

// The agent's sessions of this command, for `run`: the one to go back to, which has no client that may type, or else
// one that is attached elsewhere.
struct AgentSessions {
  std::optional<wire::SessionInfo> left;
  std::optional<wire::SessionInfo> elsewhere;
};
AgentSessions agent_sessions(const std::vector<wire::SessionInfo>& sessions, const std::vector<std::string>& command);

}  // namespace sbx::cli
