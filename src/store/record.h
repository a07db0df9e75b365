// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "wire/sandbox.h"

namespace sbx::store {

// Written into every record; a record of another version is not touched by this program.
inline constexpr std::int64_t kRecordVersion = 1;

// How far a sandbox's own life has come. Whether it runs is not in the record: that is asked of its shim.
enum class Phase { kCreating, kReady, kRemoving };

struct TemplateRef {
  std::string name;
  std::string digest;  // "sha256:" and 64 digits; empty while the sandbox is made
  std::string root;    // where the digest's template is
};

// The request that made a sandbox, so that it is recognised when it is made again.
struct Origin {
  std::string key;     // wire::RequestKey; empty: a record from before there were keys
  std::string digest;  // of all that it said
};

// vm/<name>/metadata.json: what a sandbox is and will be again after a restart of everything.
struct Record {
  std::string id;  // uuid
  std::string name;
  std::string agent;
  std::string created_at;  // RFC 3339
  Phase phase = Phase::kCreating;
  std::vector<wire::Mount> workspaces;
  std::vector<wire::Mount> mounts;
  wire::Environment environment;
  std::string directory;
  wire::Limits limits;
  std::string backend;
  std::string isolation;
  TemplateRef base;
  std::uint32_t id_base = 0;  // idmap/bases.h; 0: an ordinary user's
  std::string hostname;
  std::vector<wire::PublishedPort> ports;
  std::vector<wire::StaticHost> hosts;
  bool allow_home = false;
  Origin origin;
  std::uint32_t agent_uid = 0;  // backends::AgentIds
  std::uint32_t agent_gid = 0;
};

// Strict: a member too many or too few, another version, or a value that is none of ours (record_rules.h), is an error
// that names it. Records from before there were ports, hosts and an origin have none. What is false need not be there.
Result<Record> decode_record(const Json& json);
Json encode(const Record& record);

// vm/<name>/last_run.json: what the last start led to. It may be lost; nothing depends on it.
struct LastRun {
  bool running = false;  // started, and nobody has seen it end
  std::string ended;     // why it ended when it was not asked to
  Json timings = Json::object();
};

Result<LastRun> decode_last_run(const Json& json);
Json encode(const LastRun& run);

}  // namespace sbx::store
