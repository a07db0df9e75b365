// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/format.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/views/output.h"
#include "cli/views/progress.h"

namespace sbx::cli::verbs {
namespace {

std::string headline(const wire::AgentUpdated& updated) {
  if (updated.version.empty()) return sbx::format("The template of {} is as new as can be", updated.agent);
  if (updated.version == updated.previous)
    return sbx::format("{} {} is the latest that new sandboxes can have", updated.agent, printable(updated.version));
  return sbx::format("New sandboxes have {} {} (before: {})", updated.agent, printable(updated.version),
                     printable(updated.previous));
}

std::string line_of(const Context& context, const wire::UpdatedSandbox& sandbox) {
  switch (sandbox.state) {
    case wire::UpdateState::kUpdated:
      return "it has been updated";
    case wire::UpdateState::kNextStart:
      return sbx::format("it runs, and is updated when it starts again: {} stop {}", context.program, sandbox.name);
    case wire::UpdateState::kCurrent:
      return "it is up to date";
    case wire::UpdateState::kKept:
    case wire::UpdateState::kUnknown:
      break;
  }
  return "it is kept as it is: " + printable(sandbox.reason);
}

}  // namespace

Result<int> update(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  wire::AgentUpdated updated;
  {
    Progress progress(context.streams.err, arguments.on("quiet"));
    TRY_ASSIGN(updated, update_agent(client, arguments.operands().front(), arguments.text("agent-version"),
                                     [&](const Step& step) { progress.show(step); }));
    progress.clear();
  }
  if (arguments.on("json")) {
    print_json(json_of(updated));
    return 0;
  }
  if (arguments.on("quiet")) {
    print(printable(updated.version) + "\n");
    return 0;
  }
  print(sbx::format("{} {}\n", styled(context.streams.out, Style::kGood, "✓"), headline(updated)));
  for (const wire::UpdatedSandbox& sandbox : updated.sandboxes)
    print(sbx::format("  {}: {}\n", sandbox.name, line_of(context, sandbox)));
  return 0;
}

}  // namespace sbx::cli::verbs
