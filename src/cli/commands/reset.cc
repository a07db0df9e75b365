// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/verbs.h"
#include "cli/terminal/question.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

constexpr int kDeclined = 1;

constexpr std::string_view kWarning =
    "This stops and removes every sandbox and all that is in them. Workspaces are not touched.";

}  // namespace

Result<int> reset(Context& context, const Arguments& arguments) {
  if (!arguments.on("force") && !user_agrees(context.streams.in, kWarning)) {
    note("Nothing was changed");
    return kDeclined;
  }
  TRY_ASSIGN(const Client client, context.client());
  TRY(client.post({"reset"}, Json::object()));
  print("All VMs reset successfully\n");
  return 0;
}

}  // namespace sbx::cli::verbs
