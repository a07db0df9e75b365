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

}  // namespace sbx::wire
