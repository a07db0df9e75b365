// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/sandbox.h"

namespace sbx::wire {

void describe(Members& members, CreateRequest& request) {
  members.optional("agent", request.agent);
  members.optional("name", request.name);
  members.optional("template", request.template_name);
  members.optional("pull", request.pull);
  members.optional("platform", request.platform);
  members.optional("from", request.from);
  members.optional("backend", request.backend);
  describe(members, static_cast<Settings&>(request));
  members.optional("policy", request.policy);
  members.optional("reuse", request.reuse);
  members.optional("start", request.start);
  const bool is_named = request.reuse && !request.name.empty();
  members.check(!request.agent.empty() || is_named, "\"agent\" is missing");
}

void describe(Members& members, Step& step) {
  members.required("step", step.name);
  members.optional("done", step.done);
  members.optional("total", step.total);
}

void describe(Members& members, SandboxInfo& info) {
  members.required("id", info.id);
  members.required("name", info.name);
  members.required("agent", info.agent);
  members.sparse("agent_command", info.agent_command);
  members.required("status", info.status);
  members.optional("reason", info.reason);
  members.optional("isolation", info.isolation);
  members.optional("backend", info.backend);
  members.optional("template", info.template_name);
  members.optional("template_digest", info.template_digest);
  members.optional("created_at", info.created_at);
  members.sparse("used_at", info.used_at);
  members.optional("state_directory", info.state_directory);
  describe(members, static_cast<Settings&>(info));
  members.optional("limits_enforced", info.limits_enforced);
  members.optional("covered_sockets", info.covered_sockets);
  members.optional("sockets_searched", info.sockets_searched);
  members.optional("workspace_missing", info.workspace_missing);
  members.optional("shim_pid", info.shim_pid);
  members.optional("init_pid", info.init_pid);
  members.optional("timings", info.timings);
  members.optional("created", info.created);
  members.optional("note", info.note);
}

void describe(Members& members, SandboxList& list) { members.required("sandboxes", list.sandboxes); }

void describe(Members& members, StopRequest& request) {
  members.optional("grace_ms", request.grace_ms);
  members.check(request.grace_ms >= 0 && request.grace_ms <= StopRequest::kLongestGrace,
                "\"grace_ms\" is out of range");
}

}  // namespace sbx::wire
