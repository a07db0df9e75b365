// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/remote.h"
#include "cli/commands/each.h"
#include "cli/commands/verbs.h"

namespace sbx::cli::verbs {

Result<int> rm(Context& context, const Arguments& arguments) {
  std::vector<std::string> names = arguments.operands();
  if (names.empty() && !arguments.on("all"))
    return fail(Code::kInvalid, "which sandbox should be removed?", context.program + " ls");
  if (!names.empty() && arguments.on("all")) return fail(Code::kInvalid, "--all takes no names");
  TRY_ASSIGN(const Client client, context.client());
  if (arguments.on("all")) {
    TRY_ASSIGN(const auto sandboxes, list_sandboxes(client));
    for (const auto& sandbox : sandboxes) names.push_back(sandbox.name);
  }
  const bool only_those_there = arguments.on("force");
  return for_each_name(
      context, names, [&](const std::string& name) { return remove_sandbox(client, name); },
      only_those_there ? Missing::kPassedOver : Missing::kError);
}

}  // namespace sbx::cli::verbs
