// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "wire/exec.h"
#include "wire/network.h"

namespace sbx::wire {

// A directory of the host's in the sandbox. A workspace has the same path on both sides.
struct Mount {
  std::string source;
  std::string target;
  bool readonly = false;
};

// What holds a sandbox to Limits::disk.
enum class DiskBound { kNone, kVirtualDisk, kProjectQuota, kLoopImage };
std::string_view text(DiskBound bound);  // "", "virtual disk", "project quota", "loop image"

// 0 means: no limit of ours.
struct Limits {
  double cpus = 0;
  std::int64_t memory = 0;  // bytes
  std::int64_t pids = 0;
  std::int64_t disk = 0;                    // bytes that the sandbox may write to its own disk
  DiskBound disk_bound = DiskBound::kNone;  // chosen by the backend; of a request it means nothing
};

// The pieces, for other values that hold them. Errors go to `fields`.
std::vector<Mount> decode_mounts(Fields& fields, const char* name);
Limits decode_limits(Fields& fields);  // the member "limits"
Json encode_mounts(const std::vector<Mount>& mounts);
Json encode_limits(const Limits& limits);
Json encode_environment(const Environment& environment);

// POST /sandboxes. Everything that outlives the request, and so everything that is in the record.
struct CreateRequest {
  std::string agent;
  std::string name;               // empty: <agent>-<directory>, made unique
  std::vector<Mount> workspaces;  // the first is the primary one; target == source
  std::vector<Mount> mounts;      // -v
  std::string template_name;      // empty: the agent's
  std::string pull = "missing";   // always | missing | never
  std::string backend;            // empty: the host's best
  Environment environment;
  std::string directory;  // -w; empty: the primary workspace
  Limits limits;
  std::vector<PublishedPort> ports;
  std::vector<StaticHost> hosts;
  bool allow_home = false;  // a home directory may be a workspace or mount
  bool reuse = false;       // an existing sandbox of the same agent and workspace (or name) is the answer
};

Result<CreateRequest> decode_create_request(const Json& json);
Json encode(const CreateRequest& request);

// GET /sandboxes and GET /sandboxes/{name}: what ls and inspect show.
struct SandboxInfo {
  std::string id;
  std::string name;
  std::string agent;
  std::string status;     // creating | running | stopped | removing | failed
  std::string reason;     // why it is stopped or failed, when it was not asked to: "the machine was killed (signal 9)"
  std::string isolation;  // container | gvisor | microvm | microvm-emulated
  std::string backend;
  std::string template_name;
  std::string template_digest;
  std::string created_at;  // RFC 3339
  std::string state_directory;
  std::string directory;
  std::vector<Mount> workspaces;
  std::vector<Mount> mounts;
  Environment environment;
  Limits limits;
  bool limits_enforced = true;
  std::vector<PublishedPort> ports;  // while it runs, with the ports that were found for those that left it open
  std::vector<StaticHost> hosts;
  bool workspace_missing = false;
  // While it runs on a backend that shares the host's kernel: unix sockets of the host's that were in its workspaces
  // and mounts when it started, and are covered; and whether all of these could be looked through for them.
  std::vector<std::string> covered_sockets;
  bool sockets_searched = true;
  std::int64_t shim_pid = 0;  // 0 when it does not run
  std::int64_t init_pid = 0;
  Json timings = Json::object();  // of the last start: step → microseconds
  bool created = true;            // answer to POST /sandboxes: false when an existing one was reused
  std::string note;               // answer to POST /sandboxes: a line that the user should read; usually empty
};

Result<SandboxInfo> decode_sandbox_info(const Json& json);
Json encode(const SandboxInfo& info);

// GET /events, one per server-sent event; also what the shim tells the daemon.
struct Event {
  std::string time;
  std::string kind;  // create | start | stop | remove | die | exec_start | exec_exit; from shims also ending
  std::string sandbox;
  Json detail = Json::object();
};
Result<Event> decode_event(const Json& json);
Json encode(const Event& event);

// {"error":{"code","message","hint"}}
Error decode_error(const Json& json, int http_status);
Json encode(const Error& error);
int http_status(Code code);

}  // namespace sbx::wire
