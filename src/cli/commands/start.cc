// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/remote.h"
#include "cli/commands/each.h"
#include "cli/commands/verbs.h"

namespace sbx::cli::verbs {

Result<int> start(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  return for_each_name(context, arguments.operands(), [&](const std::string& name) -> Result<> {
    TRY(start_sandbox(client, name));
    return Ok{};
  });
}

}  // namespace sbx::cli::verbs
