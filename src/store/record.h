// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/choice.h"
#include "base/json_fwd.h"
#include "base/members.h"
#include "base/result.h"
#include "base/timings.h"
#include "wire/isolation.h"
#include "wire/settings.h"

namespace sbx::store {

// Of the records that this program writes. Each change of meaning is a version more and a step in record_versions.cc;
// a new member is none: programs keep the members that they do not know.
inline constexpr std::int64_t kRecordVersion = 2;
// The oldest version whose programs understand these records.
inline constexpr std::int64_t kMinimumReader = 2;

// How far a sandbox's own life has come. Whether it runs is not in the record: that is asked of its shim.
enum class Phase { kCreating, kReady, kRemoving };
constexpr auto choices(Phase) {
  return std::to_array<Choice<Phase>>(
      {{Phase::kCreating, "creating"}, {Phase::kReady, "ready"}, {Phase::kRemoving, "removing"}});
}

struct TemplateRef {
  std::string name;
  std::string digest;               // "sha256:" and 64 digits; empty while the sandbox is made
  std::vector<std::string> layers;  // digests, the lowest first; where they are depends on where the home is
  wire::Environment environment{};  // of its programs; what the user sets comes on top
};

// The request that made a sandbox, so that it is recognised when it is made again.
struct Origin {
  std::string key;     // wire::RequestKey
  std::string digest;  // of all that it said
};

// vm/<name>/metadata.json: what a sandbox is and will be again after a restart of everything.
struct Record : wire::Settings {
  std::int64_t version = kRecordVersion;
  std::int64_t minimum_reader = kMinimumReader;
  std::string id;  // uuid
  std::string name;
  std::string agent;
  std::vector<std::string> agent_command;  // how it is started; empty in records of before, and for agents not known
  std::string created_at;                  // RFC 3339
  Phase phase = Phase::kCreating;
  std::string backend;
  wire::Isolation isolation = wire::Isolation::kUnknown;
  TemplateRef base;
  std::optional<TemplateRef> successor;  // takes its place at the next start (sandboxes/successions.h)
  std::uint32_t id_base = 0;             // idmap/bases.h; 0: an ordinary user's
  std::string hostname;
  std::vector<wire::McpGrant> mcp_revoked;  // that it had, and may be in its agent's configuration
  std::optional<Origin> origin;             // a record from before there were keys has none
  std::uint32_t agent_uid = 0;              // backends::AgentIds
  std::uint32_t agent_gid = 0;
  std::string unknown;  // members that a newer program has written, as JSON: they are written back
};

// Reads records of all versions up to this one, and of newer ones whose minimum_reader is not above it. A value that is
// none of ours (record_rules.h) is an error that names it.
Result<Record> decode_record(Json json);
Json encode(const Record& record);

// vm/<name>/last_run.json: what the last start led to. It may be lost; nothing depends on it.
struct LastRun {
  bool running = false;  // started, and no daemon has seen it end
  std::string ended;     // why it ended when it was not asked to
  Timings timings;
  std::string used_at = {};  // RFC 3339: when it was started, run or executed in last, as far as that was written
};
void describe(Members& members, LastRun& run);

}  // namespace sbx::store
