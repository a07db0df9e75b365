// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/members.h"

// GET /network/log, in the vendor's words.
namespace sbx::wire {

// How a connection came to the proxy, and whether it was only passed on.
enum class ProxyType { kForward, kForwardBypass, kTransparent, kTransparentBypass };
constexpr auto choices(ProxyType) {
  return std::to_array<Choice<ProxyType>>({{ProxyType::kForward, "forward"},
                                           {ProxyType::kForwardBypass, "forward-bypass"},
                                           {ProxyType::kTransparent, "transparent"},
                                           {ProxyType::kTransparentBypass, "transparent-bypass"}});
}

// What the decisions on one host, by one rule, add up to. Times are RFC 3339.
struct LoggedHost {
  static constexpr const char* kOthers = "<other hosts>";  // when there were too many to keep their names

  std::string host;  // HOST:PORT, or kOthers
  std::string sandbox;
  ProxyType proxy_type = ProxyType::kForward;
  std::string rule;
  std::string last_seen;
  std::string since;
  std::int64_t count = 0;
  std::string reason;
};

// Decisions that a sandbox's log misses, because they could not be written.
struct UnwrittenDecisions {
  std::string sandbox;
  std::int64_t count = 0;
  std::string since;
  std::string last_seen;
};

struct NetworkLog {
  std::vector<LoggedHost> blocked;
  std::vector<LoggedHost> allowed;
  std::vector<UnwrittenDecisions> unwritten;
};

// With follow: the data of an event.
struct LoggedDecision {
  std::string time;
  std::string sandbox;
  std::string host;
  ProxyType proxy_type = ProxyType::kForward;
  bool allowed = false;
  std::string method;
  std::string path;
  std::string rule;
  std::string reason;
  std::int64_t status = 0;
  std::int64_t sent = 0;
  std::int64_t received = 0;
  std::int64_t duration_us = -1;  // -1: it goes on
};

void describe(Members& members, LoggedHost& host);
void describe(Members& members, UnwrittenDecisions& decisions);
void describe(Members& members, NetworkLog& log);
void describe(Members& members, LoggedDecision& decision);

}  // namespace sbx::wire
