// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/members.h"
#include "wire/network.h"

// What the daemon says on vm/<name>/network.sock (docs/life-of-a-connection.md).
namespace sbx::wire {

// Answered when what the rules forbid is closed.
struct SetPolicy {
  static constexpr std::string_view kOp = "policy";
  Json rules;  // policy::encode(Rules)
};

// Answered with a PortList of what was published.
struct PublishPorts {
  static constexpr std::string_view kOp = "publish";
  std::vector<PublishedPort> ports;
};

struct UnpublishPorts {
  static constexpr std::string_view kOp = "unpublish";
  std::vector<PublishedPort> ports;
};

// Answered with a PortList: those on which it listens, with their numbers.
struct ListPorts {
  static constexpr std::string_view kOp = "ports";
};

// For what is dialed from now on.
struct SetHosts {
  static constexpr std::string_view kOp = "hosts";
  std::vector<StaticHost> hosts;
};

// Answered when what was decided before is in the log, with what could not be written ("unwritten", netlog::Losses).
struct FlushLog {
  static constexpr std::string_view kOp = "flush";
};

using GateRequest = std::variant<SetPolicy, PublishPorts, UnpublishPorts, ListPorts, SetHosts, FlushLog>;
void describe(Members& members, SetPolicy& call);
void describe(Members& members, PublishPorts& call);
void describe(Members& members, UnpublishPorts& call);
void describe(Members& members, ListPorts& call);
void describe(Members& members, SetHosts& call);
void describe(Members& members, FlushLog& call);

}  // namespace sbx::wire
