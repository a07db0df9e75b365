// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/json.h"
#include "openclaw/decision.h"
#include "openclaw/settings.h"

namespace sbx::cli {

// What `openclaw explain` says: where a session's commands run and why, which tools it has, and what its sandbox is
// made of. As JSON, and as lines.
Json session_policy_json(const openclaw::Session& session, const openclaw::Settings& settings,
                         const openclaw::Decision& decision, const std::string& tool);
std::string session_policy_text(const Json& policy);

}  // namespace sbx::cli
