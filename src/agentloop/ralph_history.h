// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"

namespace sbx::agentloop {

// What was heard of an iteration besides its result.
struct RalphHeard {
  std::map<std::string, int> tools;
  std::vector<std::string> errors;
};

// What .ralph/ralph-history.json says of the last loop of a directory, also when it has ended. The agent may have
// written anything to it: what has not the right form counts as not there.
struct RalphHistory {
  struct Entry {
    std::int64_t number = 0;
    std::int64_t duration_ms = 0;
    std::int64_t exit_code = 0;
    std::size_t files = 0;
    RalphHeard heard;
  };
  std::vector<Entry> iterations;
  std::int64_t duration_ms = 0;
  std::map<std::string, int> errors;  // the beginning of each, and how often it came since an iteration without any
  std::int64_t without_change = 0;    // iterations in a row, to the last
  std::int64_t short_ones = 0;

  static RalphHistory read(const std::string& directory);
};

// For such files: null where there is nothing of the kind.
Json json_in_file(const std::string& path);
Json member_of(const Json& object, const char* name);

}  // namespace sbx::agentloop
