// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/state.h"

namespace sbx::agentloop {

void describe(Members& members, Iteration& iteration) {
  members.required("number", iteration.number);
  members.optional("started_at", iteration.started_at);
  members.optional("ended_at", iteration.ended_at);
  members.optional("duration_ms", iteration.duration_ms);
  members.optional("exit_code", iteration.exit_code);
  members.optional("end", iteration.end);
  members.optional("promised", iteration.promised);
  members.sparse("until_code", iteration.until_code);
  members.sparse("story", iteration.story);
  members.sparse("passed", iteration.passed);
  members.sparse("commit", iteration.commit);
  members.sparse("tree", iteration.tree);
  members.optional("changed", iteration.changed);
  members.sparse("files", iteration.files);
  members.sparse("reverted", iteration.reverted);
}

void describe(Members& members, State& state) {
  members.required("status", state.status);
  members.sparse("outcome", state.outcome);
  members.sparse("reason", state.reason);
  members.optional("started_at", state.started_at);
  members.sparse("ended_at", state.ended_at);
  members.optional("elapsed_ms", state.elapsed_ms);
  members.optional("attempt", state.attempt);
  members.sparse("stuck_from", state.stuck_from);
  members.required("begin", state.begin);
  members.sparse("current", state.current);
  members.optional("iterations", state.iterations);
  members.sparse("note", state.note);
}

}  // namespace sbx::agentloop
