// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/settings.h"

namespace sbx::wire {

bool fit(const Labels& labels) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : labels) bytes += key.empty() ? kMostLabelBytes + 1 : key.size() + value.size();
  return bytes <= kMostLabelBytes;
}

void describe(Members& members, Mount& mount) {
  members.required("source", mount.source);
  members.required("target", mount.target);
  members.optional("readonly", mount.readonly);
}

void describe(Members& members, Limits& limits) {
  members.optional("cpus", limits.cpus);
  members.optional("memory", limits.memory);
  members.optional("pids", limits.pids);
  members.optional("disk", limits.disk);
  members.optional("disk_bound", limits.disk_bound);
  members.sparse("tmp", limits.tmp);
  members.check(limits.cpus >= 0 && limits.memory >= 0 && limits.pids >= 0 && limits.disk >= 0 && limits.tmp >= 0,
                "negative");
}

void describe(Members& members, Settings& settings) {
  members.optional("workspaces", settings.workspaces);
  members.optional("mounts", settings.mounts);
  members.optional("environment", settings.environment);
  members.optional("directory", settings.directory);
  members.optional("limits", settings.limits);
  members.optional("ports", settings.ports);
  members.optional("hosts", settings.hosts);
  members.sparse("labels", settings.labels);
  members.sparse("docker", settings.docker);
  members.sparse("no_docker_cache", settings.no_docker_cache);
  members.sparse("allow_home", settings.allow_home);
  members.sparse("no_guidance", settings.no_guidance);
  members.sparse("ssh_agent", settings.ssh_agent);
  members.sparse("registry_auth", settings.registry_auth);
  members.sparse("mcp", settings.mcp);
  members.sparse("mcp_command", settings.mcp_command);
  members.sparse("ttl_s", settings.ttl_s);
  members.sparse("idle_stop_s", settings.idle_stop_s);
  members.check(settings.ttl_s >= 0 && settings.idle_stop_s >= 0, "\"ttl_s\" or \"idle_stop_s\" is negative");
  members.check(settings.ssh_agent.empty() || settings.ssh_agent.front() == '/',
                "\"ssh_agent\" is not an absolute path");
  members.check(fit(settings.labels), "\"labels\" are without a name, or more than 64 KiB");
}

}  // namespace sbx::wire
