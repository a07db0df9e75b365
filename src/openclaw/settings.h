// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/choice.h"
#include "openclaw/session_key.h"
#include "openclaw/tool_policy.h"

namespace sbx::openclaw {

// Which sessions have a sandbox: none, all but the main one, all.
enum class Mode { kOff, kNonMain, kAll };
constexpr auto choices(Mode) {
  return std::to_array<Choice<Mode>>({{Mode::kOff, "off"}, {Mode::kNonMain, "non-main"}, {Mode::kAll, "all"}});
}

// What a sandbox sees of the agent's own workspace: nothing, the files at /agent, or the files as its workspace.
enum class WorkspaceAccess { kNone, kReadOnly, kReadWrite };
constexpr auto choices(WorkspaceAccess) {
  return std::to_array<Choice<WorkspaceAccess>>(
      {{WorkspaceAccess::kNone, "none"}, {WorkspaceAccess::kReadOnly, "ro"}, {WorkspaceAccess::kReadWrite, "rw"}});
}

// What a sandbox may reach: nothing, the hosts of a list, or what the user's own network policy allows.
enum class Reachable { kNothing, kListed, kByPolicy };
constexpr auto choices(Reachable) {
  return std::to_array<Choice<Reachable>>(
      {{Reachable::kNothing, "none"}, {Reachable::kListed, "allowlist"}, {Reachable::kByPolicy, "policy"}});
}

struct SharedPath {
  std::string source;  // absolute; ~ is expanded
  std::string target;
  bool readonly = false;
};

struct TmpDir {
  std::int64_t bytes = 0;  // 0: as the sandbox has it
  bool persist = false;    // it outlives a stop of the sandbox
};

// When a session's sandbox is removed; 0: never for that reason.
struct Prune {
  double idle_hours = 24;
  double max_age_days = 7;
};

// What the configuration says for the sessions of one agent.
struct Settings {
  Mode mode = Mode::kAll;
  bool mode_given = false;
  Scope scope = Scope::kSession;
  WorkspaceAccess workspace_access = WorkspaceAccess::kNone;
  std::string workspace_root;   // where sandboxes have a directory each on this host
  std::string agent_workspace;  // the agent's own
  std::string workdir = "/workspace";
  std::string image;  // empty: ours
  std::string name_prefix = "openclaw-sbx-";
  std::string user;  // who commands run as; empty: agent
  std::int64_t memory = 0;
  double cpus = 0;
  std::int64_t pids = 0;
  std::int64_t timeout_s = 0;  // of a command; 0: none
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::pair<std::string, std::string>> hosts;  // name, address
  std::string setup_command;
  std::vector<SharedPath> mounts;
  TmpDir tmp;
  Reachable reachable = Reachable::kNothing;
  std::vector<std::string> allowed_hosts;
  Prune prune;
  std::vector<ToolLayer> tools;
  std::vector<std::string> notes;  // keys that hold in another way than they say, and how
};

}  // namespace sbx::openclaw
