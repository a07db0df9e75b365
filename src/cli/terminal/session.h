// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/context.h"
#include "wire/exec.h"
#include "wire/session.h"

namespace sbx::cli {

struct SessionEnd {
  int code = 0;           // what we exit with
  bool detached = false;  // we have left it, and the command runs on
};

// Runs a command in a sandbox with our standard streams attached to it, from the request to its exit code. The terminal
// is raw while it runs, if the request has one and we do.
Result<SessionEnd> run_session(const Context& context, const Client& client, const std::string& sandbox,
                               wire::ExecRequest request, std::string_view detach_keys);

// The same for a session that is there; one that has ended shows what it printed last, and its exit code. Only the
// request's window is ours to fill in. A watcher's standard input need not be a terminal.
Result<SessionEnd> attach_to_session(const Context& context, const Client& client, const std::string& sandbox,
                                     wire::SessionNumber session, wire::AttachRequest request,
                                     std::string_view detach_keys);

// Starts a command and leaves it running. The exit code is ours: 0, or why it could not be started.
Result<int> start_detached(const Context& context, const Client& client, const std::string& sandbox,
                           const wire::ExecRequest& request);

}  // namespace sbx::cli
