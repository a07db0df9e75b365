// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/network_log.h"

namespace sbx::wire {

void describe(Members& members, LoggedHost& host) {
  members.required("host", host.host);
  members.required("vm_name", host.sandbox);
  members.required("proxy_type", host.proxy_type);
  members.required("rule", host.rule);
  members.required("last_seen", host.last_seen);
  members.required("since", host.since);
  members.required("count_since", host.count);
  members.required("reason", host.reason);
}

void describe(Members& members, UnwrittenDecisions& decisions) {
  members.required("vm_name", decisions.sandbox);
  members.required("count", decisions.count);
  members.required("since", decisions.since);
  members.required("last_seen", decisions.last_seen);
}

void describe(Members& members, NetworkLog& log) {
  members.required("blocked_hosts", log.blocked);
  members.required("allowed_hosts", log.allowed);
  members.required("unwritten", log.unwritten);
}

void describe(Members& members, LoggedDecision& decision) {
  members.required("time", decision.time);
  members.required("vm_name", decision.sandbox);
  members.required("host", decision.host);
  members.required("proxy_type", decision.proxy_type);
  members.required("allowed", decision.allowed);
  members.required("method", decision.method);
  members.required("path", decision.path);
  members.required("rule", decision.rule);
  members.required("reason", decision.reason);
  members.required("status", decision.status);
  members.required("sent", decision.sent);
  members.required("received", decision.received);
  members.required("duration_us", decision.duration_us);
}

}  // namespace sbx::wire
