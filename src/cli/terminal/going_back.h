// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/context.h"
#include "cli/terminal/session.h"
#include "wire/exec.h"

namespace sbx::cli {

struct GoingBack {
  std::string_view detach_keys;
  bool is_special = false;  // the request has what a session that runs cannot be given: variables, a directory
  bool is_quiet = false;
};

// For `run` on a terminal: attaches to the agent's session of this command, if one runs and no other client is attached
// to it, until that ends or is left; a line on standard error says so. Nothing: a new one is to be started, and if
// another could have been meant, a line says why not that.
Result<std::optional<SessionEnd>> go_back(const Context& context, const Client& client, const std::string& sandbox,
                                          const wire::ExecRequest& request, const GoingBack& how);

}  // namespace sbx::cli
