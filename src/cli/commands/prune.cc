// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "base/format.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/commands/each.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/question.h"
#include "cli/views/output.h"
#include "cli/words/filter.h"

namespace sbx::cli::verbs {
namespace {

constexpr int kPruneDeclined = 1;
constexpr std::string_view kUntil = "until=";

// until=24h: the moment since when it must not have been used. The others are those of ls.
struct PruneWanted {
  std::optional<WallTime> unused_since;
  Filters filters;
};

Result<PruneWanted> wanted_from(const Arguments& arguments) {
  PruneWanted wanted;
  std::vector<std::string> others;
  for (const std::string& text : arguments.list("filter")) {
    if (!text.starts_with(kUntil)) {
      others.push_back(text);
      continue;
    }
    const auto seconds = parse_duration(text.substr(kUntil.size()));
    if (!seconds)
      return fail(Code::kInvalid, sbx::format("--filter {}: must be a time such as 30m, 24h or 7d", printable(text)));
    wanted.unused_since = now() - std::chrono::seconds(*seconds);
  }
  TRY_ASSIGN(wanted.filters, Filters::parse(others));
  return wanted;
}

bool is_pruned(const PruneWanted& wanted, const wire::SandboxInfo& sandbox) {
  if (sandbox.status != wire::Status::kStopped || !wanted.filters.pass(sandbox)) return false;
  if (!wanted.unused_since) return true;
  const auto used = parse_rfc3339(sandbox.used_at.empty() ? sandbox.created_at : sandbox.used_at);
  return used && *used <= *wanted.unused_since;
}

std::string warning_for(const std::vector<std::string>& names) {
  return sbx::format(
      "WARNING! This removes {} stopped sandbox{} and all that is in them: {}\nWorkspaces are not touched.",
      names.size(), names.size() == 1 ? "" : "es", join(names, ", "));
}

}  // namespace

Result<int> prune(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const PruneWanted wanted, wanted_from(arguments));
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto sandboxes, list_sandboxes(client));
  std::vector<std::string> names;
  for (const auto& sandbox : sandboxes)
    if (is_pruned(wanted, sandbox)) names.push_back(sandbox.name);
  if (names.empty()) {
    note("There is nothing to remove");
    return 0;
  }
  if (arguments.on("dry-run")) {
    for (const std::string& name : names) print(name + "\n");
    return 0;
  }
  if (!arguments.on("force") && !user_agrees(context.streams.in, warning_for(names))) {
    note("Nothing was changed");
    return kPruneDeclined;
  }
  // One that was started meanwhile stays.
  return for_each_name(
      context, names, [&](const std::string& name) { return remove_stopped_sandbox(client, name); },
      Missing::kPassedOver);
}

}  // namespace sbx::cli::verbs
