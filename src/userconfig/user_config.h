// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "agents/agents.h"
#include "base/fd.h"
#include "base/result.h"

// What of the user's own configuration of an agent goes into a sandbox (--agent-config). Nothing does that
// Agent::config does not list, no link is followed, and what may be a key stays on the host.
namespace sbx::userconfig {

struct TakenFile {
  std::string path;  // in the home
  std::string content;
  bool executable = false;
};

struct UserConfig {
  std::vector<TakenFile> files;
  std::vector<std::string> taken;  // lines for the user: ".claude/settings.json: model, theme"
  std::vector<std::string> left;   // ".claude/settings.json: env: it is not on the list"
};

// `home` is the user's home directory. Settings are put below those of the agent's template, which make it ask nothing.
UserConfig collect(const Fd& home, const agents::Agent& agent, const std::vector<std::string>& workspaces);

}  // namespace sbx::userconfig
