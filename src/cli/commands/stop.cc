// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/commands/each.h"
#include "cli/commands/verbs.h"

namespace sbx::cli::verbs {

Result<int> stop(Context& context, const Arguments& arguments) {
  const auto seconds = parse_integer(arguments.text("time"));
  if (!seconds || *seconds < 0 || *seconds * 1000 > wire::StopRequest::kLongestGrace)
    return fail(Code::kInvalid, "--time " + arguments.text("time") + ": must be a number of seconds, at most 600");
  const std::chrono::seconds grace(*seconds);
  TRY_ASSIGN(const Client client, context.client());
  return for_each_name(context, arguments.operands(), [&](const std::string& name) -> Result<> {
    TRY(stop_sandbox(client, name, grace));
    return Ok{};
  });
}

}  // namespace sbx::cli::verbs
