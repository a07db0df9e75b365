// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/openclaw/session_request.h"

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/sha256.h"
#include "base/value.h"

namespace sbx::cli {
namespace {

using openclaw::Decision;
using openclaw::Reachable;
using openclaw::Settings;
using openclaw::WorkspaceAccess;

constexpr std::size_t kLongestDirectoryName = 60;
constexpr const char* kAgentTarget = "/agent";

bool is_taken(const Settings& settings, const std::string& target) {
  return std::ranges::any_of(settings.mounts, [&](const auto& mount) { return mount.target == target; });
}

std::int64_t seconds_of(double count, double unit) {
  return count == 0 ? 0 : std::max<std::int64_t>(1, std::llround(std::min(count * unit, 1e12)));
}

std::vector<wire::Mount> mounts_for(const Settings& settings, const Decision& decision) {
  std::vector<wire::Mount> mounts;
  for (const auto& mount : settings.mounts) mounts.push_back({mount.source, mount.target, mount.readonly});
  const SessionDirectories own = session_directories(settings, decision);
  if (!own.workspace.empty()) mounts.push_back({own.workspace, settings.workdir, false});
  if (!own.tmp.empty()) mounts.push_back({own.tmp, "/tmp", false});
  if (settings.workspace_access == WorkspaceAccess::kReadOnly && !is_taken(settings, kAgentTarget))
    mounts.push_back({settings.agent_workspace, kAgentTarget, true});
  return mounts;
}

// All that only a new sandbox can have.
std::string hash_of(const wire::CreateRequest& request, const Settings& settings) {
  Json all = {{"request", json_of(request)},
              {"setup", settings.setup_command},
              {"reachable", word_of(settings.reachable)},
              {"hosts", settings.allowed_hosts}};
  return sha256_hex(dump(all)).substr(0, 16);
}

}  // namespace

std::string label_of(const wire::SandboxInfo& sandbox, const char* name) {
  const auto found = std::ranges::find(sandbox.labels, name, &wire::Labels::value_type::first);
  return found == sandbox.labels.end() ? "" : found->second;
}

SessionDirectories session_directories(const Settings& settings, const Decision& decision) {
  SessionDirectories directories;
  const std::string own = settings.workspace_root + "/" + openclaw::slug_of(decision.scope_key, kLongestDirectoryName);
  if (!is_taken(settings, settings.workdir))
    directories.workspace = settings.workspace_access == WorkspaceAccess::kReadWrite ? settings.agent_workspace : own;
  if (settings.tmp.persist && !is_taken(settings, "/tmp")) directories.tmp = own + ".tmp";
  return directories;
}

wire::CreateRequest session_request(const Settings& settings, const Decision& decision) {
  wire::CreateRequest request;
  request.agent = "shell";
  request.name = decision.sandbox;
  request.template_name = settings.image;
  request.mounts = mounts_for(settings, decision);
  request.directory = settings.workdir;
  request.environment = settings.environment;
  for (const auto& [name, address] : settings.hosts) request.hosts.push_back({name, address});
  request.limits.memory = settings.memory;
  request.limits.cpus = settings.cpus;
  request.limits.pids = settings.pids;
  request.limits.tmp = settings.tmp.bytes;
  request.docker = wire::DockerMode::kOff;
  request.ttl_s = seconds_of(settings.prune.max_age_days, 24 * 60 * 60);
  request.idle_stop_s = seconds_of(settings.prune.idle_hours, 60 * 60);
  request.labels = {
      {kConfigLabel, hash_of(request, settings)}, {kSessionLabel, "1"}, {kScopeLabel, decision.scope_key}};
  return request;
}

std::vector<policy::Edit> session_policy(const Settings& settings) {
  if (settings.reachable == Reachable::kByPolicy) return {};
  std::vector<policy::Edit> edits{{"reset", ""}, {"policy", "deny"}};
  for (const std::string& host : settings.allowed_hosts) edits.push_back({"allow-host", host});
  return edits;
}

}  // namespace sbx::cli
