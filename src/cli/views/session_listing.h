// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "wire/session.h"

namespace sbx::cli {

struct SandboxSession {
  std::string sandbox;
  wire::SessionInfo info;
};

// `sandbox sessions`. Long commands are cut off unless `whole`.
std::string session_table(const std::vector<SandboxSession>& sessions, WallTime now, bool whole);
Json session_fields(const SandboxSession& session);

// "3 minutes ago"; a text that is no time as it is.
std::string time_ago(const std::string& rfc3339, WallTime now);

// The command as one line.
std::string command_text(const wire::SessionInfo& session);

}  // namespace sbx::cli
