// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/guest.h"

namespace sbx::wire {

void describe(Members& members, GuestHello& hello) {
  members.required("version", hello.version);
  members.optional("uptime_us", hello.uptime_us);
}

void describe(Members& members, GuestMount& mount) {
  members.required("tag", mount.tag);
  members.required("target", mount.target);
  members.optional("readonly", mount.readonly);
}

void describe(Members& members, GuestNetwork& network) {
  members.optional("ca_certificate", network.ca_certificate);
  members.optional("ca_hash", network.ca_hash);
}

void describe(Members& members, GitIdentity& identity) {
  members.optional("name", identity.name);
  members.optional("email", identity.email);
}

void describe(Members& members, GuestFile& file) {
  members.required("path", file.path);
  members.required("content", file.content);
}

void describe(Members& members, GuestDocker& docker) { members.optional("at_once", docker.at_once); }

void describe(Members& members, GuestConfig& config) {
  members.required("id", config.id);
  members.required("name", config.name);
  members.required("hostname", config.hostname);
  members.optional("workspace", config.workspace);
  members.optional("environment", config.environment);
  members.optional("mounts", config.mounts);
  members.optional("clock_us", config.clock_us);
  members.optional("max_processes", config.max_processes);
  members.sparse("max_tmp", config.max_tmp);
  members.optional("max_shared_files", config.max_shared_files);
  members.optional("seed", config.seed);
  members.sparse("network", config.network);
  members.sparse("docker", config.docker);
  members.sparse("ssh_agent", config.ssh_agent);
  members.sparse("mcp", config.mcp);
  members.optional("git", config.git);
  members.optional("guidance", config.guidance);
}

void describe(Members& members, GuestReady& ready) { members.optional("timings", ready.timings); }
void describe(Members& members, GuestStop& stop) { members.optional("grace_ms", stop.grace_ms); }
void describe(Members& members, GuestFailed& failed) { members.optional("error", failed.error); }
void describe(Members& members, GuestClock& clock) { members.optional("clock_us", clock.clock_us); }

}  // namespace sbx::wire
