// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0

#include "base/format.h"
#include "cli/commands/verbs.h"
#include "cli/own_version.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

constexpr std::string_view kModule = "github.com/sandboxd/sandboxd";

}  // namespace

Result<int> version(Context& context, const Arguments& arguments) {
  if (!arguments.on("json")) {
    print(sbx::format("{} {} {}\n", kModule, own_version(), own_commit()));
    return 0;
  }
  Json json = {{"module", kModule}, {"version", own_version()}, {"commit", own_commit()}};
  TRY_ASSIGN(const Client client, context.client_of_running_daemon());
  if (auto daemon = client.get({"version"})) json["daemon"] = *daemon;
  print_json(json);
  return 0;
}

Result<int> plugin_metadata(Context&, const Arguments&) {
  print_json({{"SchemaVersion", "0.1.0"},
              {"Vendor", "sandboxd"},
              {"Version", own_version()},
              {"ShortDescription", "Run coding agents in sandboxes of their own"}});
  return 0;
}

}  // namespace sbx::cli::verbs
