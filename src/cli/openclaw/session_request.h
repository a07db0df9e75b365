// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "openclaw/decision.h"
#include "openclaw/settings.h"
#include "policy/edits.h"
#include "wire/sandbox.h"

// The sandbox of a session as a request to the daemon. Pure: nothing is made.
namespace sbx::cli {

inline constexpr const char* kSessionLabel = "openclaw.sandbox";  // "1" on every sandbox of a session
inline constexpr const char* kScopeLabel = "openclaw.sessionKey";
inline constexpr const char* kConfigLabel = "openclaw.configHash";

// The value of a label; empty: the sandbox does not have it.
std::string label_of(const wire::SandboxInfo& sandbox, const char* name);

// What the session has on this host: its workspace, and /tmp if that is to persist. Empty: it needs none.
struct SessionDirectories {
  std::string workspace;
  std::string tmp;
};
SessionDirectories session_directories(const openclaw::Settings& settings, const openclaw::Decision& decision);

// The label with the hash says whether a sandbox that is there is of the same settings.
wire::CreateRequest session_request(const openclaw::Settings& settings, const openclaw::Decision& decision);

// From the built-in rules on, so that what was taken out of the configuration, or added by hand, holds no more. Empty:
// the user's own default policy is left as it is.
std::vector<policy::Edit> session_policy(const openclaw::Settings& settings);

}  // namespace sbx::cli
