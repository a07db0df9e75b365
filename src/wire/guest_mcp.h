// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/members.h"

namespace sbx::wire {

// What a guest is told of its servers.
struct GuestMcp {
  std::vector<std::string> servers;  // those that are reached by a socket
  // All of them for the file that the agent reads, in its own words: in its home; "": there is none.
  std::string path;
  std::string member;  // which has the servers
  bool toml = false;   // and not JSON
  std::vector<std::pair<std::string, Json>> entries;
  std::vector<std::pair<std::string, Json>> plain;  // the same for kMcpFile
  // Of servers that were taken back: what an earlier start has written for the agent, and is taken out again.
  std::vector<std::pair<std::string, Json>> revoked;
};
void describe(Members& members, GuestMcp& mcp);

}  // namespace sbx::wire
