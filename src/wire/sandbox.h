// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/members.h"
#include "base/timings.h"
#include "wire/isolation.h"
#include "wire/policy_edit.h"
#include "wire/settings.h"
#include "wire/template.h"

namespace sbx::wire {

// When a template is fetched or built.
enum class Pull { kMissing, kAlways, kNever };
constexpr auto choices(Pull) {
  return std::to_array<Choice<Pull>>({{Pull::kAlways, "always"}, {Pull::kMissing, "missing"}, {Pull::kNever, "never"}});
}

// POST /sandboxes. With `reuse` and `start` it is all that `run` needs: the answer is a sandbox that runs.
struct CreateRequest : Settings {
  std::string agent;          // empty, with `reuse`: that of the sandbox of this name, which has to be there
  std::string name;           // empty: <agent>-<directory>, made unique
  std::string template_name;  // empty: the agent's
  Pull pull = Pull::kMissing;
  std::string platform;                         // of a template that is fetched: "linux/arm64"; empty: this host's
  TemplateSource from = TemplateSource::kAuto;  // where a template that is not here comes from
  std::string backend;                          // empty: the host's best
  // A sandbox of the same name, or without one of the same agent and workspace, is the answer, once it is what is asked
  // for: what can be changed is, and the rest is a conflict. What is empty or zero is not asked for; variables and the
  // working directory are for those that are made.
  bool reuse = false;
  // On top of the rules that new sandboxes have: in place before it can be started. Of one that is there they change
  // the rules that it has.
  std::vector<PolicyEdit> policy;
  bool start = false;  // it runs before the answer comes
};
void describe(Members& members, CreateRequest& request);

// How far a create is: an event of its answer.
struct Step {
  std::string name;
  std::int64_t done = 0;
  std::int64_t total = 0;  // 0: unknown
};
void describe(Members& members, Step& step);

// kUnknown: a newer daemon has a word for it that this client has not.
enum class Status { kUnknown, kCreating, kRunning, kStopped, kRemoving, kFailed };
constexpr auto choices(Status) {
  return std::to_array<Choice<Status>>({{Status::kUnknown, "unknown"},
                                        {Status::kCreating, "creating"},
                                        {Status::kRunning, "running"},
                                        {Status::kStopped, "stopped"},
                                        {Status::kRemoving, "removing"},
                                        {Status::kFailed, "failed"}});
}

// GET /sandboxes and GET /sandboxes/{name}: what ls and inspect show.
struct SandboxInfo : Settings {
  std::string id;
  std::string name;
  std::string agent;
  std::vector<std::string> agent_command;  // how `run` starts it; empty: that is not known
  Status status = Status::kUnknown;
  std::string reason;  // why it is stopped or failed, when it was not asked to: "the machine was killed (signal 9)"
  Isolation isolation = Isolation::kUnknown;
  std::string backend;
  std::string template_name;
  std::string template_digest;
  std::string created_at;  // RFC 3339
  std::string used_at;     // RFC 3339: when it was started, run or executed in last; empty: never
  std::string state_directory;
  bool limits_enforced = true;
  bool workspace_missing = false;
  // While it runs on a backend that shares the host's kernel: unix sockets of the host's that were in its workspaces
  // and mounts when it started, and are covered; and whether all of these could be looked through for them.
  std::vector<std::string> covered_sockets;
  bool sockets_searched = true;
  std::int64_t shim_pid = 0;  // 0 when it does not run
  std::int64_t init_pid = 0;
  Timings timings;      // of the last start
  bool created = true;  // answer to POST /sandboxes: false when an existing one was reused
  std::string note;     // answer to POST /sandboxes: a line that the user should read; usually empty
};
void describe(Members& members, SandboxInfo& info);

struct SandboxList {
  std::vector<SandboxInfo> sandboxes;
};
void describe(Members& members, SandboxList& list);

// POST /sandboxes/{name}/stop.
struct StopRequest {
  static constexpr std::int64_t kLongestGrace = 10 * 60 * 1000;
  std::int64_t grace_ms = 2000;  // between the guest's SIGTERM and its end
};
void describe(Members& members, StopRequest& request);

}  // namespace sbx::wire
