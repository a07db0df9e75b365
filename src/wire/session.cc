// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/session.h"

namespace sbx::wire {

void describe(Members& members, SessionInfo& info) {
  members.required("session", info.session);
  members.optional("command", info.command);
  members.optional("user", info.user);
  members.optional("agent", info.agent);
  members.optional("state", info.state);
  members.optional("started_at", info.started_at);
  members.optional("used_at", info.used_at);
  members.optional("ended_at", info.ended_at);
  members.sparse("exit", info.exit);
  members.optional("rows", info.window.rows);
  members.optional("columns", info.window.columns);
  members.optional("clients", info.clients);
  members.optional("watchers", info.watchers);
  members.optional("output_from", info.output_from);
  members.optional("output_to", info.output_to);
}

void describe(Members& members, SessionList& list) { members.required("sessions", list.sessions); }

void describe(Members& members, AttachRequest& request) {
  members.sparse("from", request.from);
  members.sparse("read_only", request.read_only);
  members.sparse("alone", request.alone);
  members.sparse("rows", request.window.rows);
  members.sparse("columns", request.window.columns);
  members.check(!request.from || *request.from >= 0, "\"from\" must be a number of bytes");
}

void describe(Members& members, SessionOpened& opened) {
  members.required("session", opened.session);
  members.optional("pid", opened.pid);
}

void describe(Members& members, OutputPosition& position) {
  members.required("from", position.from);
  members.optional("live", position.live);
  members.sparse("skipped", position.skipped);
  members.sparse("modes", position.modes);
}

}  // namespace sbx::wire
