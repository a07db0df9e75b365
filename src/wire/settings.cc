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
  members.check(limits.cpus >= 0 && limits.memory >= 0 && limits.pids >= 0 && limits.disk >= 0, "negative");
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
  members.sparse("allow_home", settings.allow_home);
  members.sparse("no_guidance", settings.no_guidance);
  members.sparse("ttl_s", settings.ttl_s);
  members.sparse("idle_stop_s", settings.idle_stop_s);
  members.check(settings.ttl_s >= 0 && settings.idle_stop_s >= 0, "\"ttl_s\" or \"idle_stop_s\" is negative");
  members.check(fit(settings.labels), "\"labels\" are without a name, or more than 64 KiB");
}

}  // namespace sbx::wire
