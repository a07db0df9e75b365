// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/settings.h"

namespace sbx::agentloop {

AgentChoice Settings::choice(std::int64_t iteration) const {
  if (rotation.empty()) return {agent, program, ""};
  return rotation[static_cast<std::size_t>(iteration - 1) % rotation.size()];
}

void describe(Members& members, AgentChoice& choice) {
  members.required("agent", choice.agent);
  members.sparse("program", choice.program);
  members.sparse("model", choice.model);
}

void describe(Members& members, Settings& settings) {
  members.required("id", settings.id);
  members.sparse("turn_key", settings.turn_key);
  members.required("agent", settings.agent);
  members.sparse("program", settings.program);
  members.sparse("arguments", settings.arguments);
  members.sparse("rotation", settings.rotation);
  members.sparse("asks_permission", settings.asks_permission);
  members.sparse("sandbox", settings.sandbox);
  members.required("directory", settings.directory);
  members.sparse("worktree", settings.worktree);
  members.sparse("prompt", settings.prompt);
  members.sparse("prompt_template", settings.prompt_template);
  members.sparse("prd", settings.prd);
  members.sparse("tasks", settings.tasks);
  members.optional("most", settings.most);
  members.optional("least", settings.least);
  members.sparse("promise", settings.promise);
  members.sparse("abort_promise", settings.abort_promise);
  members.sparse("task_promise", settings.task_promise);
  members.sparse("tagged_only", settings.tagged_only);
  members.sparse("until_command", settings.until_command);
  members.optional("iteration_timeout_s", settings.iteration_timeout_s);
  members.optional("idle_timeout_s", settings.idle_timeout_s);
  members.optional("budget_s", settings.budget_s);
  members.sparse("continue", settings.goes_on);
  members.optional("on_fail", settings.on_fail);
  members.optional("stops_when_stuck", settings.stops_when_stuck);
  members.sparse("commits", settings.commits);
  members.sparse("environment", settings.environment);
}

}  // namespace sbx::agentloop
