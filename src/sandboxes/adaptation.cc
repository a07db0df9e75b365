// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/adaptation.h"

#include <algorithm>
#include <optional>

#include "sandboxes/differences.h"
#include "sandboxes/mcp_grants.h"

namespace sbx::sandboxes {
namespace {

wire::Labels merged(wire::Labels labels, const wire::Labels& asked) {
  for (const auto& label : asked) {
    const auto known = std::ranges::find(labels, label.first, &wire::Labels::value_type::first);
    if (known != labels.end())
      *known = label;
    else
      labels.push_back(label);
  }
  return labels;
}

std::string docker_text(wire::DockerMode mode) { return wire::has_docker(mode) ? std::string(word_of(mode)) : "off"; }

}  // namespace

// The backend rounds and refuses as it does at create.
Result<wire::Limits> Adaptation::granted(const store::Record& record, const wire::Limits& asked) const {
  if (asked.cpus == 0 && asked.memory == 0 && asked.pids == 0) return record.limits;
  wire::Limits wanted = record.limits;
  if (asked.cpus != 0) wanted.cpus = asked.cpus;
  if (asked.memory != 0) wanted.memory = asked.memory;
  if (asked.pids != 0) wanted.pids = asked.pids;
  TRY_ASSIGN(const auto backend, backends_.any(record.backend));
  TRY_ASSIGN(const backends::Grant grant, backend->grant(wanted, store_.home().root()));
  wanted.cpus = grant.limits.cpus;
  wanted.memory = grant.limits.memory;
  wanted.pids = grant.limits.pids;
  return wanted;  // its disk stays as it was made
}

Result<> Adaptation::adapt_held(Sandbox& sandbox, const wire::CreateRequest& asked) {
  const store::Record before = sandbox.record();
  if (const auto fixed = fixed_differences(before, asked); !fixed.empty())
    return fail(must_be_made_anew(before.name, fixed));
  TRY_ASSIGN(const wire::Limits limits, granted(before, asked.limits));
  const wire::Labels labels = merged(before.labels, asked.labels);
  if (!wire::fit(labels)) return fail(Code::kInvalid, "the labels of " + before.name + " would be more than 64 KiB");
  auto changed = limit_differences(before.limits, limits);
  if (asked.docker != wire::DockerMode::kUnset && asked.docker != before.docker)
    changed.push_back({"--docker", std::string(word_of(asked.docker)), docker_text(before.docker)});
  if (asked.no_docker_cache && !before.no_docker_cache) changed.push_back({"--no-docker-cache", "yes", "no"});
  if (asked.registry_auth && !before.registry_auth) changed.push_back({"--registry-auth", "yes", "no"});
  if (!asked.ssh_agent.empty() && before.ssh_agent.empty()) changed.push_back({"--ssh-agent", "yes", "no"});
  const auto grants = merged_grants(before.mcp, asked.mcp);
  for (const wire::McpGrant& grant : grants)
    if (std::ranges::find(before.mcp, grant) == before.mcp.end()) changed.push_back({"--mcp", grant.name, "not"});
  if (!changed.empty() && sandbox.running()) return fail(must_be_stopped(before.name, changed));

  TRY_ASSIGN(const RuleChange of_grants, rule_change(before.mcp, grants));
  auto edits = asked.policy;
  edits.insert(edits.end(), of_grants.given.begin(), of_grants.given.end());
  std::optional<policy::Rules> rules;
  if (!edits.empty() || !of_grants.taken.empty()) {
    TRY_ASSIGN(rules, policies_.edited(sandbox, edits));
    take_back(of_grants.taken, *rules);
  }

  // Ports first: of all these only they may be refused.
  TRY_WITHIN("publish ports of " + before.name, networks_.publish_missing_held(sandbox, asked.ports));
  if (rules) TRY(policies_.set_held(sandbox, *rules));
  TRY(networks_.add_hosts_held(sandbox, asked.hosts));
  store::Record record = sandbox.record();
  record.limits = limits;
  record.labels = labels;
  set_grants(grants, record);
  if (asked.docker != wire::DockerMode::kUnset) record.docker = asked.docker;
  if (asked.ttl_s != 0) record.ttl_s = asked.ttl_s;
  if (asked.idle_stop_s != 0) record.idle_stop_s = asked.idle_stop_s;
  if (asked.no_docker_cache) record.no_docker_cache = true;
  if (asked.registry_auth) record.registry_auth = true;
  if (!asked.ssh_agent.empty()) record.ssh_agent = asked.ssh_agent;
  const bool same_times = record.ttl_s == before.ttl_s && record.idle_stop_s == before.idle_stop_s;
  if (changed.empty() && labels == before.labels && same_times && record.ssh_agent == before.ssh_agent) return Ok{};
  TRY(store_.save(record));
  sandbox.set_record(std::move(record));
  docker_sockets_.follow(sandbox);
  return Ok{};
}

}  // namespace sbx::sandboxes
