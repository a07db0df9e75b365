// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/exec.h"

namespace sbx::wire {
namespace {

void check(Members& members, const ExecRequest& request) {
  const bool is_builtin = request.builtin != Builtin::kNone;
  members.check(is_builtin || !request.command.empty(), "\"command\" is empty");
  members.check(!is_builtin || !request.path.empty(), "\"path\" is missing");
  members.check(!is_builtin || (!request.tty && request.command.empty()), "a builtin takes no command and no terminal");
  members.check(request.offset >= 0, "\"offset\" must not be negative");
  for (const Environment* variables : {&request.environment, &request.preferences})
    for (const auto& [key, value] : *variables)
      members.check(!key.empty() && key.find('=') == std::string::npos,
                    "bad environment variable name \"" + key + "\"");
}

}  // namespace

void describe(Members& members, ExecRequest& request) {
  members.sparse("command", request.command);
  members.sparse("builtin", request.builtin);
  members.sparse("path", request.path);
  members.sparse("follow_link", request.follow_link);
  members.sparse("offset", request.offset);
  members.sparse("environment", request.environment);
  members.sparse("preferences", request.preferences);
  members.sparse("user", request.user);
  members.sparse("directory", request.directory);
  members.sparse("tty", request.tty);
  members.sparse("interactive", request.interactive);
  members.sparse("detach", request.detach);
  members.sparse("privileged", request.privileged);
  members.sparse("agent", request.agent);
  members.sparse("rows", request.window.rows);
  members.sparse("columns", request.window.columns);
  check(members, request);
}

void describe(Members& members, ExecOpened& opened) { members.required("pid", opened.pid); }

void describe(Members& members, ExecExit& exit) {
  members.optional("code", exit.code);
  members.sparse("signal", exit.signal);
  members.sparse("error", exit.error);
  members.check(exit.code >= 0 && exit.code <= 255, "\"code\" is out of range");
}

}  // namespace sbx::wire
