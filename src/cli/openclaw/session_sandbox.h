// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/client/client.h"
#include "cli/client/steps.h"
#include "openclaw/decision.h"
#include "openclaw/settings.h"
#include "wire/sandbox.h"

// The sandboxes of sessions: made when a session first needs one, made anew when the configuration has changed, and
// removed when they are old or were not used for long.
namespace sbx::cli {

// Sandboxes of all sessions.
Result<std::vector<wire::SandboxInfo>> session_sandboxes(const Client& client);

// One that runs, with its network policy in place before its first program, and set up.
Result<wire::SandboxInfo> ready_session_sandbox(const Client& client, const openclaw::Settings& settings,
                                                const openclaw::Decision& decision, const OnStep& on_step);

// Not while another command makes it, and no error if it is not there.
Result<> remove_session_sandbox(const Client& client, const std::string& name);

// Removes those that are due, each by what the configuration says for it. The names.
using PruneOf = std::function<Result<openclaw::Prune>(const std::string& scope_key)>;
Result<std::vector<std::string>> prune_sessions(const Client& client, const PruneOf& prune_of);

// Where logs and locks of sessions are.
Result<std::string> sessions_home();

}  // namespace sbx::cli
