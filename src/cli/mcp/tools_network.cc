// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/format.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/mcp/tools.h"

namespace sbx::cli::mcp {
namespace {

constexpr std::size_t kLongestReason = 500;
constexpr std::int64_t kUsualLines = 50;
constexpr std::int64_t kMostLines = 1000;

struct Publish {
  std::string name;
  std::uint16_t port = 0;
  std::uint16_t host_port = 0;
  bool unpublish = false;
};
void describe(Members& members, Publish& publish) {
  members.required("name", publish.name);
  members.required("port", publish.port);
  members.optional("host_port", publish.host_port);
  members.optional("unpublish", publish.unpublish);
  members.check(publish.port != 0, "\"port\" must be 1 to 65535");
}

struct CheckTarget {
  std::string name;
  std::string target;
};
void describe(Members& members, CheckTarget& check) {
  members.required("name", check.name);
  members.required("target", check.target);
}

struct Propose {
  std::string name;
  std::string target;
  std::string reason;
};
void describe(Members& members, Propose& propose) {
  members.required("name", propose.name);
  members.required("target", propose.target);
  members.required("reason", propose.reason);
  members.check(propose.reason.size() <= kLongestReason, "\"reason\" has more than 500 bytes");
}

struct ReadLog {
  std::string name;
  std::int64_t limit = kUsualLines;
  bool blocked = false;
};
void describe(Members& members, ReadLog& log) {
  members.required("name", log.name);
  members.optional("limit", log.limit);
  members.optional("blocked", log.blocked);
  members.check(log.limit > 0 && log.limit <= kMostLines, "\"limit\" must be 1 to 1000");
}

constexpr ArgumentNote kNetworkNotes[] = {
    {"name", "Name of the sandbox"},
    {"port", "Port in the sandbox"},
    {"host_port", "Port of the host's 127.0.0.1. Default: any that is free"},
    {"unpublish", "End it instead"},
    {"target", "URL or HOST[:PORT]"},
    {"reason", "Why it is needed, in one sentence: the user reads it"},
    {"limit", "At most so many hosts. Default 50"},
    {"blocked", "Only what was refused"},
};

Result<Json> publish(Call& call, const Publish& arguments) {
  TRY_ASSIGN(const wire::SandboxInfo sandbox, allowed_sandbox(call, arguments.name));
  std::vector<wire::PublishedPort> wanted;
  std::vector<wire::PublishedPort> unwanted;
  if (!arguments.unpublish)
    wanted.push_back({.host_ip = "127.0.0.1", .host_port = arguments.host_port, .port = arguments.port});
  else
    std::ranges::copy_if(sandbox.ports, std::back_inserter(unwanted), [&](const wire::PublishedPort& port) {
      return port.port == arguments.port && (arguments.host_port == 0 || port.host_port == arguments.host_port);
    });
  if (arguments.unpublish && unwanted.empty())
    return fail(Code::kNotFound, sbx::format("port {} is not published", arguments.port));
  TRY_ASSIGN(auto ports, change_ports(call.session.client, arguments.name, wanted, unwanted));
  return json_of(wire::PortList{std::move(ports)});
}

Result<Json> check_target(Call& call, const CheckTarget& arguments) {
  TRY(allowed_sandbox(call, arguments.name));
  TRY_ASSIGN(const policy::PolicyCheck checked, check_policy(call.session.client, arguments.name, arguments.target));
  return json_of(checked);
}

std::string question_of(const Propose& arguments, const policy::PolicyCheck& checked) {
  return sbx::format("Allow sandbox {} to reach {}?\nThe model says: {}", arguments.name, checked.target,
                     printable(arguments.reason));
}

// The model proposes, the user decides: by an answer to the client, or by the command on the host.
Result<Json> propose(Call& call, const Propose& arguments) {
  TRY(allowed_sandbox(call, arguments.name));
  const Client& client = call.session.client;
  TRY_ASSIGN(const policy::PolicyCheck checked, check_policy(client, arguments.name, arguments.target));
  if (checked.allowed) return Json{{"state", "allowed already"}, {"check", json_of(checked)}};
  if (checked.remedy.empty()) return Json{{"state", "no rule can allow this"}, {"check", json_of(checked)}};
  switch (call.ask_user(question_of(arguments, checked))) {
    case Consent::kGiven:
      TRY(edit_policy(client, arguments.name, {{"allow-host", checked.target}}));
      return Json{{"state", "allowed by the user"}};
    case Consent::kRefused:
      return Json{{"state", "refused by the user"}};
    case Consent::kCannotAsk:
      break;
  }
  return Json{{"state", "waits for the user"}, {"command", checked.remedy}, {"check", json_of(checked)}};
}

Result<Json> network_log_of(Call& call, const ReadLog& arguments) {
  TRY(allowed_sandbox(call, arguments.name));
  Client::Query query{{"sandbox", arguments.name}, {"limit", std::to_string(arguments.limit)}};
  if (arguments.blocked) query.emplace_back("blocked", "1");
  TRY_ASSIGN(const wire::NetworkLog log, get_network_log(call.session.client, query));
  return json_of(log);
}

const Tool kNetworkTools[] = {
    {.name = "ports_publish",
     .title = "Publish port",
     .description = "Make a port of a sandbox reachable on the host's 127.0.0.1, and return all that are.",
     .notes = kNetworkNotes,
     .schema = schema_of_arguments<Publish>,
     .run = run_tool<Publish, publish>},
    {.name = "policy_check",
     .title = "Check network policy",
     .description = "Whether a sandbox may reach a host, by which rule, and which credential its requests get.",
     .notes = kNetworkNotes,
     .reads_only = true,
     .schema = schema_of_arguments<CheckTarget>,
     .run = run_tool<CheckTarget, check_target>},
    {.name = "policy_propose",
     .title = "Propose network rule",
     .description = "Ask the user to let a sandbox reach a host. Only the user can allow it.",
     .notes = kNetworkNotes,
     .schema = schema_of_arguments<Propose>,
     .run = run_tool<Propose, propose>},
    {.name = "network_log",
     .title = "Network log",
     .description = "What a sandbox has connected to and what was refused, with the rules and reasons.",
     .notes = kNetworkNotes,
     .reads_only = true,
     .schema = schema_of_arguments<ReadLog>,
     .run = run_tool<ReadLog, network_log_of>},
};

}  // namespace

std::span<const Tool> network_tools() { return kNetworkTools; }

}  // namespace sbx::cli::mcp
