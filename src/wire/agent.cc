// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/agent.h"

namespace sbx::wire {

void describe(Members& members, AgentInfo& agent) {
  members.required("name", agent.name);
  members.required("command", agent.command);
  members.required("template", agent.template_name);
  members.optional("version", agent.version);
  members.optional("service", agent.service);
  members.optional("own", agent.own);
}

void describe(Members& members, AgentList& list) { members.required("agents", list.agents); }

void describe(Members& members, AgentUpdate& update) { members.sparse("version", update.version); }

void describe(Members& members, UpdatedSandbox& sandbox) {
  members.required("name", sandbox.name);
  members.required("state", sandbox.state);
  members.sparse("reason", sandbox.reason);
}

void describe(Members& members, AgentUpdated& updated) {
  members.required("agent", updated.agent);
  members.optional("previous", updated.previous);
  members.optional("version", updated.version);
  members.required("digest", updated.digest);
  members.required("sandboxes", updated.sandboxes);
}

}  // namespace sbx::wire
