// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/views/go_template.h"
#include "cli/views/listing.h"
#include "cli/views/output.h"
#include "cli/words/filter.h"

namespace sbx::cli::verbs {

Result<int> ls(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Filters filters, Filters::parse(arguments.list("filter")));
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(auto sandboxes, list_sandboxes(client));
  std::erase_if(sandboxes, [&](const auto& sandbox) { return !filters.pass(sandbox); });
  Sizes sizes;
  if (arguments.on("size")) {
    TRY_ASSIGN(const wire::DiskUsage usage, disk_usage(client));
    for (const auto& sandbox : usage.sandboxes) sizes[sandbox.name] = sandbox.bytes;
  }
  if (arguments.on("json") || arguments.text("format") == "json") {
    print_json(listing_json(sandboxes, sizes));
  } else if (arguments.on("quiet")) {
    for (const auto& sandbox : sandboxes) print(sandbox.name + "\n");
  } else if (arguments.given("format")) {
    std::vector<Json> rows;
    for (const auto& sandbox : sandboxes) rows.push_back(listing_fields(sandbox, sizes));
    TRY(print_values(context.streams.out, arguments.text("format"), std::move(rows)));
  } else if (sandboxes.empty()) {
    note("No sandboxes found");
  } else {
    print(listing_table(sandboxes, sizes));
  }
  return 0;
}

}  // namespace sbx::cli::verbs
