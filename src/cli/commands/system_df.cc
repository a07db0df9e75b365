// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/format.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

std::string usage_table(const wire::DiskUsage& usage) {
  std::int64_t sandboxes = 0;
  for (const auto& sandbox : usage.sandboxes) sandboxes += sandbox.bytes;
  std::vector<std::vector<std::string>> rows{{"TYPE", "NAME", "SIZE", "USED"}};
  for (const auto& sandbox : usage.sandboxes) rows.push_back({"sandbox", sandbox.name, bytes_text(sandbox.bytes), ""});
  for (const auto& one : usage.templates)
    rows.push_back({"template", one.names.empty() ? one.digest.substr(0, 19) : join(one.names, ", "),
                    bytes_text(one.bytes), one.in_use ? "yes" : "no"});
  rows.push_back({"sandboxes", "(all)", bytes_text(sandboxes), ""});
  rows.push_back({"templates", "(all)", bytes_text(usage.templates_bytes), ""});
  rows.push_back({"docker cache", "(all)", bytes_text(usage.docker_cache_bytes), ""});
  rows.push_back({"cache", "(all)", bytes_text(usage.cache_bytes), ""});
  const std::int64_t all = sandboxes + usage.templates_bytes + usage.docker_cache_bytes + usage.cache_bytes;
  return columns(rows) + sbx::format("\n{} in {}\n", bytes_text(all), printable(usage.home));
}

}  // namespace

Result<int> system_df(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const wire::DiskUsage usage, disk_usage(client));
  if (arguments.on("json"))
    print_json(json_of(usage));
  else
    print(usage_table(usage));
  return 0;
}

Result<int> system_prune(Context& context, const Arguments&) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const wire::SystemPruned pruned, prune_system(client));
  print(sbx::format("Reclaimed {}\n", bytes_text(pruned.docker_cache_bytes)));
  return 0;
}

}  // namespace sbx::cli::verbs
