// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/members.h"
#include "base/timings.h"
#include "wire/exec.h"
#include "wire/isolation.h"
#include "wire/mcp.h"
#include "wire/session.h"

// What the daemon says on vm/<name>/shim.sock and what it is answered (ARCHITECTURE.md, "The shim's life").
namespace sbx::wire {

// Answered with a ShimStatus.
struct StatusCall {
  static constexpr std::string_view kOp = "status";
};

// With the client's descriptor attached, unless it is detached.
struct ExecCall {
  static constexpr std::string_view kOp = "exec";
  std::string key;  // a RequestKey; empty: like nothing that came before
  ExecRequest request;
};

struct StopCall {
  static constexpr std::string_view kOp = "stop";
  std::int64_t grace_ms = 2000;
};

// Answered with an Event each time that there is one.
struct WatchCall {
  static constexpr std::string_view kOp = "watch";
};

// Answered with a SessionList.
struct SessionsCall {
  static constexpr std::string_view kOp = "sessions";
};

// With the client's descriptor attached.
struct AttachCall {
  static constexpr std::string_view kOp = "attach";
  SessionNumber session = 0;
  AttachRequest request;
};

// Answered with a SessionInfo when it has ended.
struct EndSessionCall {
  static constexpr std::string_view kOp = "end_session";
  SessionNumber session = 0;
};

// With the descriptor of a client of docker.sock attached: it is connected to the guest's Docker daemon.
struct DockerCall {
  static constexpr std::string_view kOp = "docker";
};
inline constexpr std::string_view kDockerFeature = "docker";

// An exec whose standard input and output are the attached descriptor, as they are. Standard error goes to the log.
struct PipeCall {
  static constexpr std::string_view kOp = "pipe";
  ExecRequest request;
};

// The other end for a program that wants to speak with an MCP server (McpWanted) is attached.
struct McpCall {
  static constexpr std::string_view kOp = "mcp";
  McpWanted wanted;
};

// The sandbox may use this MCP server no more: those who speak with it are cut off before this is answered.
struct McpRevokeCall {
  static constexpr std::string_view kOp = "mcp_revoke";
  std::string server;
};

using ShimRequest = std::variant<StatusCall, ExecCall, StopCall, WatchCall, SessionsCall, AttachCall, EndSessionCall,
                                 DockerCall, PipeCall, McpCall, McpRevokeCall>;
void describe(Members& members, StatusCall& call);
void describe(Members& members, ExecCall& call);
void describe(Members& members, StopCall& call);
void describe(Members& members, WatchCall& call);
void describe(Members& members, SessionsCall& call);
void describe(Members& members, AttachCall& call);
void describe(Members& members, EndSessionCall& call);
void describe(Members& members, DockerCall& call);
void describe(Members& members, PipeCall& call);
void describe(Members& members, McpCall& call);
void describe(Members& members, McpRevokeCall& call);

// What a shim says of itself, when it is ready and when it is asked.
struct ShimStatus {
  std::int32_t shim_pid = 0;
  std::int32_t init_pid = 0;
  Timings timings;
  Isolation isolation = Isolation::kUnknown;
  bool limits_enforced = true;
  std::int64_t execs = 0;           // that run now
  std::int64_t docker_clients = 0;  // that are connected to the Docker daemon, through docker.sock
  std::vector<std::string> covered_sockets;
  bool sockets_searched = true;
  // What it can do beyond what the first shims could: a sandbox may have been started by an older version. Nothing new
  // is asked of a shim that does not list it; the user is told to restart the sandbox.
  std::vector<std::string> features;

  bool has(std::string_view feature) const;
};
void describe(Members& members, ShimStatus& status);

// Answer to a detached ExecCall: the program runs, or init says why it could not be started.
struct DetachedStart {
  std::optional<std::int32_t> pid;
  std::optional<SessionNumber> session;      // of one with a terminal
  std::optional<std::int64_t> log_position;  // from which number on its output is in the log (wire/log_head.h)
  std::optional<ExecExit> exit;
};
void describe(Members& members, DetachedStart& start);

}  // namespace sbx::wire
