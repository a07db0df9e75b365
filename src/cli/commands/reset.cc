// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "agentloop/loop_files.h"
#include "base/file.h"
#include "base/format.h"
#include "base/socket.h"
#include "base/text.h"
#include "cli/client/daemon_process.h"
#include "cli/commands/verbs.h"
#include "cli/loops/worker.h"
#include "cli/terminal/question.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

constexpr int kDeclined = 1;

constexpr std::string_view kResetWarning =
    "This stops and removes every sandbox and all that is in them. Workspaces are not touched.";
constexpr std::string_view kResetAllWarning =
    "This stops and removes every sandbox and all that is in them, all templates, caches and logs, the stored "
    "secrets, all loops, also those that run, and the MCP servers that were added. Workspaces are not touched.";
constexpr std::chrono::seconds kLongestCancel{20};

// The process of a loop would write to the directory that is about to go. A loop that does not end by itself does so
// when its sandbox is removed, which is next.
void cancel_loops(const Context& context) {
  const auto home = loops_home();
  if (!home) return;
  for (const std::string& id : agentloop::LoopFiles::ids(*home)) {
    const auto files = agentloop::LoopFiles::open(*home, id);
    if (!files || !files->is_run()) continue;
    if (const auto ended = cancel_loop(context, *files, id, kLongestCancel); !ended)
      note(sbx::format("loop {}: {}; it is ended with its sandbox", id, printable(ended.error().what())));
  }
}

Result<> wait_for_loops() {
  TRY_ASSIGN(const std::string home, loops_home());
  for (const std::string& id : agentloop::LoopFiles::ids(home))
    if (const auto files = agentloop::LoopFiles::open(home, id); files)
      TRY_WITHIN("loop " + id, wait_for_worker(*files, kLongestCancel));
  return Ok{};
}

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
  const bool whole_home = all && context.socket.empty();
  if (all) query.emplace_back("all", "1");
  if (whole_home) cancel_loops(context);
  TRY(client.post({"reset"}, Json::object(), query));
  print("All VMs reset successfully\n");
  if (whole_home) {
    TRY(wait_for_loops());
    TRY(remove_home(context));
  }
  return 0;
}

}  // namespace sbx::cli::verbs
