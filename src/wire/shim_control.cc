// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/shim_control.h"

#include <algorithm>

namespace sbx::wire {

void describe(Members&, StatusCall&) {}

void describe(Members& members, ExecCall& call) {
  members.sparse("key", call.key);
  members.required("request", call.request);
}

void describe(Members& members, StopCall& call) { members.optional("grace_ms", call.grace_ms); }

void describe(Members&, WatchCall&) {}

void describe(Members&, DockerCall&) {}
void describe(Members&, SessionsCall&) {}
void describe(Members& members, PipeCall& call) { members.required("request", call.request); }
void describe(Members& members, McpCall& call) { members.required("wanted", call.wanted); }
void describe(Members& members, McpRevokeCall& call) { members.required("server", call.server); }

void describe(Members& members, AttachCall& call) {
  members.required("session", call.session);
  members.required("request", call.request);
}

void describe(Members& members, EndSessionCall& call) { members.required("session", call.session); }

bool ShimStatus::has(std::string_view feature) const { return std::ranges::find(features, feature) != features.end(); }

void describe(Members& members, ShimStatus& status) {
  members.optional("shim_pid", status.shim_pid);
  members.optional("init_pid", status.init_pid);
  members.optional("timings", status.timings);
  members.optional("isolation", status.isolation);
  members.optional("limits_enforced", status.limits_enforced);
  members.optional("execs", status.execs);
  members.optional("docker_clients", status.docker_clients);
  members.optional("covered_sockets", status.covered_sockets);
  members.optional("sockets_searched", status.sockets_searched);
  members.optional("features", status.features);
  members.check(status.shim_pid >= 0 && status.init_pid >= 0, "a process id is negative");
}

void describe(Members& members, DetachedStart& start) {
  members.sparse("pid", start.pid);
  members.sparse("session", start.session);
  members.sparse("log_position", start.log_position);
  members.sparse("exit", start.exit);
}

}  // namespace sbx::wire
