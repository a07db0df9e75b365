// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "netlog/losses.h"
#include "netlog/record.h"

namespace sbx::netlog {

// In a sandbox's state directory. The gate owns the directory and what is in it, as an id without any rights.
inline constexpr const char* kLogDirectory = "network";
inline constexpr const char* kLogFile = "network.db";

// Which records to read.
struct RecordQuery {
  std::int64_t after = 0;     // only those with a greater id
  bool blocked_only = false;  // only refusals
  std::size_t newest = 0;     // only so many of them, the newest; 0: all
};

// All decisions about one host, port, way and rule, also those whose records are forgotten. Or, without a host: those
// about hosts of a rule that the log knows no more by name, because there were too many (sums.h).
struct Summary {
  std::string host;
  std::uint16_t port = 0;
  Path path = Path::kForward;
  bool allowed = false;
  std::string rule;
  std::string reason;         // of the newest
  std::int64_t first_us = 0;  // wall clock
  std::int64_t last_us = 0;
  std::int64_t count = 0;
};

// The log of one sandbox, for those who read it: the daemon, while the sandbox runs or not. Writes nothing, whatever is
// in the file, and takes bounded time: the file was written by a process that is trusted less than its reader. Each
// question opens the file anew and holds up its writer no longer than it takes. A sandbox that has never decided
// anything has an empty log.
class Database {
 public:
  explicit Database(std::string state_directory) : state_directory_(std::move(state_directory)) {}

  // By id, the oldest first. One that goes on is there with what was known when it began (duration_us is -1), and has
  // the same id when it is over.
  Result<std::vector<Record>> records(const RecordQuery& query) const;
  // The newest first; each decision that was written is counted in one of them.
  Result<std::vector<Summary>> summaries(bool blocked_only = false) const;
  // Decisions that could not be written, as far as the file tells: its writer, while it runs, may know of more.
  Result<Losses> losses() const;

 private:
  std::string state_directory_;
};

}  // namespace sbx::netlog
