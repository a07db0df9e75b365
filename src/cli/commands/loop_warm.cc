// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <future>

#include "agentloop/agent_line.h"
#include "agentloop/loop_files.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/loops/loop_wish.h"
#include "cli/loops/sandbox_world.h"
#include "cli/loops/worker.h"
#include "cli/terminal/signals.h"
#include "cli/views/output.h"
#include "cli/words/environment.h"

namespace sbx::cli::verbs {
namespace {

std::vector<std::string> tools_of(const Arguments& arguments) {
  std::vector<std::string> tools;
  for (const std::string& tool : arguments.list("tool")) tools.push_back(agentloop::agent_called(tool));
  if (tools.empty()) tools.push_back("claude");
  return tools;
}

using Made = std::future<Result<wire::SandboxInfo>>;

// All at once: a machine's start is mostly waiting.
std::vector<Made> make_all(const Client& client, const std::vector<LoopSandboxWish>& wishes) {
  std::vector<Made> all;
  for (const LoopSandboxWish& wish : wishes)
    all.push_back(std::async(std::launch::async, [&] { return ready_loop_sandbox(client, wish, [](const Step&) {}); }));
  return all;
}

// In the sandbox of the tool, or, where there is none, on this host, as the programs that call this expect; but never
// silently. That there is none is the answer to the exec itself: a question before it would double the time of a short
// command.
Result<agentloop::TurnResult> run_warm(Context& context, const std::string& id, const std::string& tool,
                                       const agentloop::Turn& turn, const agentloop::OnPiece& on_piece,
                                       const agentloop::IsCancelled& is_cancelled) {
  const std::string name = loop_sandbox_name(id, tool);
  if (!wants_host_mode()) {
    TRY_ASSIGN(const Client client, context.client());
    auto result = SandboxWorld(client, name).run(turn, on_piece, is_cancelled);
    if (result || result.error().code() != Code::kNotFound) return result;
    // Asked for by name, so that nothing but the daemon's word sends a command to the host.
    if (const auto info = get_sandbox(client, name); info || info.error().code() != Code::kNotFound) return result;
    if (refuses_host_mode())
      return fail(Code::kNotFound, "sandbox \"" + name + "\" not found",
                  "sandbox loop start " + id + " --tool " + tool);
    note("there is no sandbox " + printable(name));
  }
  warn_of_host_mode(tool);
  return agentloop::run_turn(turn, on_piece, is_cancelled);
}

constexpr std::chrono::seconds kLongestEnd(20);

Result<> remove_loop_sandboxes(const Context& context, const std::string& id) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto names, loop_sandboxes(client, id));
  for (const std::string& name : names) {
    const auto removed = remove_sandbox(client, name);
    if (!removed && removed.error().code() != Code::kNotFound) return fail(Error(removed.error()));
    print(name + "\n");
  }
  return Ok{};
}

}  // namespace

Result<int> loop_start(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const std::string workspace, loop_workspace(arguments));
  const auto& operands = arguments.operands();
  TRY_ASSIGN(const std::string id, checked_loop_id(operands.empty() ? new_loop_id(workspace) : operands.front()));
  if (wants_host_mode()) {
    warn_of_host_mode("loop " + id);
    print(id + "\n");
    return 0;
  }
  std::vector<LoopSandboxWish> wishes;
  for (const std::string& tool : tools_of(arguments)) {
    TRY_ASSIGN(LoopSandboxWish wish, loop_sandbox_wish(context, arguments, id, tool));
    wishes.push_back(std::move(wish));
  }
  TRY_ASSIGN(const Client client, context.client());
  std::vector<Made> all = make_all(client, wishes);
  for (Made& made : all) made.wait();
  Json names = Json::array();
  for (Made& one : all) {
    TRY_ASSIGN(const wire::SandboxInfo made, one.get());
    names.push_back(made.name);
  }
  if (arguments.on("json")) {
    print_json({{"id", id}, {"sandboxes", names}});
    return 0;
  }
  for (const Json& name : names) note("ready: " + name.get<std::string>());
  print(id + "\n");
  return 0;
}

Result<int> loop_exec(Context& context, const Arguments& arguments) {
  const auto& operands = arguments.operands();
  std::vector<std::string> command = arguments.rest();
  if (command.empty()) return fail(Code::kInvalid, "which command?", "loop exec ID TOOL -- COMMAND [ARG...]");
  TRY_ASSIGN(const std::string id, checked_loop_id(operands[0]));
  const auto limit = parse_duration(arguments.text("timeout"));
  if (!limit) return fail(Code::kInvalid, "--timeout: must be a time such as 20m");
  agentloop::Turn turn{.kept = "",
                       .command = std::move(command),
                       .directory = arguments.text("workdir"),
                       .timeout = std::chrono::seconds(*limit),
                       .whole_tree = true};
  TRY_ASSIGN(turn.environment, environment_from(context, arguments));
  // The command ends with this program: those who call it end it at timeouts of their own.
  TRY_ASSIGN(SignalReader signals, SignalReader::take({SIGINT, SIGTERM, SIGHUP}));
  const auto on_piece = [&](bool is_error, std::string_view bytes) {
    (void)write_all(is_error ? context.streams.err : context.streams.out, bytes);
  };
  TRY_ASSIGN(const agentloop::TurnResult result, run_warm(context, id, agentloop::agent_called(operands[1]), turn,
                                                          on_piece, [&] { return signals.next().has_value(); }));
  if (result.end == agentloop::TurnEnd::kTimeout) note(sbx::format("it was ended after {} s", *limit));
  return result.end == agentloop::TurnEnd::kExited ? result.code : 124;
}

Result<int> loop_end(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const std::string id, checked_loop_id(arguments.operands().front()));
  TRY_ASSIGN(const std::string home, loops_home());
  const auto files = agentloop::LoopFiles::open(home, id);
  const Result<> ended = files ? cancel_loop(context, *files, id, kLongestEnd) : Result<>();
  if (!ended) note(sbx::format("{}; it is ended with its sandboxes", printable(ended.error().what())));
  // What can be undone while there is a loop is thrown away with it.
  if (files) remove_refs(context, *files);
  TRY(remove_loop_sandboxes(context, id));
  // A process that waited for something in a sandbox does not any more.
  if (!ended) TRY(wait_for_worker(*files, kLongestEnd));
  TRY(remove_tree(home + "/loops/" + id));
  return 0;
}

}  // namespace sbx::cli::verbs
