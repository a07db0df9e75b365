// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "base/format.h"
#include "base/socket.h"
#include "cli/client/daemon_process.h"
#include "cli/commands/verbs.h"
#include "cli/terminal/question.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

constexpr int kDeclined = 1;

constexpr std::string_view kResetWarning =
    "This stops and removes every sandbox and all that is in them. Workspaces are not touched.";
constexpr std::string_view kResetAllWarning =
    "This stops and removes every sandbox and all that is in them, all templates, caches and logs. Workspaces "
    "are not touched.";

// The daemon has removed what belongs to guest ids: the rest is ours.
Result<> remove_home(const Context& context) {
  TRY_ASSIGN(const std::string socket, context.socket_path());
  TRY_ASSIGN(const Home home, Home::find());
  if (const auto connection = connect_unix(socket)) TRY(end_daemon(*connection));
  TRY_WITHIN("remove " + home.root(), remove_tree(home.root()));
  print(sbx::format("Removed {}\n", home.root()));
  return Ok{};
}

}  // namespace

Result<int> reset(Context& context, const Arguments& arguments) {
  const bool all = arguments.on("all");
  if (!arguments.on("force") && !user_agrees(context.streams.in, all ? kResetAllWarning : kResetWarning)) {
    note("Nothing was changed");
    return kDeclined;
  }
  TRY_ASSIGN(const Client client, context.client());
  Client::Query query;
  if (all) query.emplace_back("all", "1");
  TRY(client.post({"reset"}, Json::object(), query));
  print("All VMs reset successfully\n");
  if (all && context.socket.empty()) TRY(remove_home(context));
  return 0;
}

}  // namespace sbx::cli::verbs
