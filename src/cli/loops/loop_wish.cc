// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/loops/loop_wish.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "agentloop/agent_line.h"
#include "agentloop/loop_files.h"
#include "base/file.h"
#include "base/format.h"
#include "base/found_path.h"
#include "base/random.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/loops/worker.h"
#include "cli/views/output.h"
#include "cli/views/progress.h"
#include "cli/words/agent_name.h"
#include "cli/words/environment.h"
#include "cli/words/workspace.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kTurnKeyBytes = 16;
constexpr std::size_t kLargestPrompt = 1u << 20;
constexpr std::size_t kLongestStem = 30;
constexpr std::string_view kUsualPromise = "COMPLETE";

Failure not_understood(const char* flag, const std::string& text, std::string_view wanted) {
  return fail(Code::kInvalid, sbx::format("--{} {}: must be {}", flag, printable(text), wanted));
}

Result<std::int64_t> duration_of(const Arguments& arguments, const char* flag) {
  const std::string text = arguments.text(flag);
  if (text == "0") return 0;
  const auto seconds = parse_duration(text);
  if (!seconds) return not_understood(flag, text, "a time such as 20m or 4h, or 0 for none");
  return *seconds;
}

// Not through a link in a shared directory: an agent that ran there before would choose which of the user's files it
// is.
Result<std::string> prompt_text(const Context& context, const std::string& path) {
  if (path == "-") return read_all(context.streams.in, kLargestPrompt);
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const SharedDirectories shared, shared_directories(client));
  TRY_ASSIGN(const Fd file, open_to_read(path, shared));
  return read_all(file, kLargestPrompt);
}

// A list is read and written in the sandbox, by its path from the workspace.
Result<std::string> path_in(const std::string& workspace, const char* flag, const std::string& given) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(given, error).lexically_normal();
  if (error) return fail(Code::kInvalid, sbx::format("--{} {}: {}", flag, printable(given), error.message()));
  const std::string below = path.lexically_relative(workspace).string();
  if (below.empty() || below == "." || below.starts_with(".."))
    return fail(Code::kInvalid,
                sbx::format("--{} {}: must be a file in the workspace {}", flag, printable(given), workspace));
  return below;
}

Result<> read_task(const Context& context, const Arguments& arguments, agentloop::Settings& settings) {
  const int ways = arguments.given("prompt") + arguments.given("prd") + arguments.given("tasks");
  if (ways == 0) return fail(Code::kInvalid, "what is the task?", "--prompt FILE, --prd prd.json or --tasks tasks.md");
  if (arguments.given("prd") && arguments.given("tasks"))
    return fail(Code::kInvalid, "--prd and --tasks exclude each other");
  if (arguments.given("prompt")) {
    TRY_ASSIGN(settings.prompt, prompt_text(context, arguments.text("prompt")));
    if (trimmed(settings.prompt).empty()) return fail(Code::kInvalid, "the prompt is empty");
  }
  if (arguments.given("prd")) {
    TRY_ASSIGN(settings.prd, path_in(settings.directory, "prd", arguments.text("prd")));
  }
  if (arguments.given("tasks")) {
    TRY_ASSIGN(settings.tasks, path_in(settings.directory, "tasks", arguments.text("tasks")));
  }
  return Ok{};
}

Result<> read_ends(const Arguments& arguments, agentloop::Settings& settings) {
  settings.until_command = arguments.text("until-cmd");
  settings.promise = arguments.text("until");
  const bool needs_promise = settings.until_command.empty() && settings.tasks.empty();
  if (!arguments.given("until") && needs_promise) settings.promise = kUsualPromise;
  const auto most = parse_integer(arguments.text("max"));
  if (!most || *most < 0)
    return not_understood("max", arguments.text("max"), "a number of iterations, or 0 for no limit");
  settings.most = *most;
  TRY_ASSIGN(settings.iteration_timeout_s, duration_of(arguments, "iteration-timeout"));
  TRY_ASSIGN(settings.idle_timeout_s, duration_of(arguments, "idle-timeout"));
  TRY_ASSIGN(settings.budget_s, duration_of(arguments, "budget"));
  const auto on_fail = from_word<agentloop::OnFail>(arguments.text("on-fail"));
  if (!on_fail) return not_understood("on-fail", arguments.text("on-fail"), "keep or revert");
  settings.on_fail = *on_fail;
  return Ok{};
}

}  // namespace

std::string name_stem(const std::string& directory) {
  std::string stem;
  for (const unsigned char c : directory.substr(directory.rfind('/') + 1))
    if (std::isalnum(c) != 0 && stem.size() < kLongestStem) stem += static_cast<char>(std::tolower(c));
  return stem.empty() ? "loop" : stem;
}

std::string new_loop_id(const std::string& workspace) { return name_stem(workspace) + "-" + random_hex(2); }

Result<std::string> checked_loop_id(const std::string& id) {
  if (!agentloop::is_loop_id(id))
    return fail(Code::kInvalid, printable(id) + ": a loop's id has letters, digits, - and _, 40 at most");
  return id;
}

Result<std::string> loop_workspace(const Arguments& arguments) {
  const std::string given = arguments.given("workspace") ? arguments.text("workspace") : ".";
  TRY_ASSIGN(const wire::Mount workspace, parse_workspace(given));
  if (workspace.readonly) return fail(Code::kInvalid, "a loop writes to its workspace");
  return workspace.source;
}

std::vector<wire::PolicyEdit> loop_policy(const Arguments& arguments) {
  std::vector<wire::PolicyEdit> edits;
  if (arguments.text("preset") != "none") edits.push_back({"preset", arguments.text("preset")});
  for (const std::string& host : arguments.list("allow-host")) edits.push_back({"allow-host", host});
  return edits;
}

Result<LoopSandboxWish> loop_sandbox_wish(const Context& context, const Arguments& arguments, const std::string& id,
                                          const std::string& tool) {
  LoopSandboxWish wish;
  wish.id = id;
  wish.tool = tool;
  TRY_ASSIGN(const auto agents, known_agents());
  if (agents.find(tool) == nullptr) return fail(unknown_agent(tool));
  TRY_ASSIGN(wish.workspace, loop_workspace(arguments));
  wish.template_name = arguments.text("template");
  wish.policy = loop_policy(arguments);
  TRY_ASSIGN(wish.environment, environment_from(context, arguments));
  return wish;
}

Result<agentloop::Settings> loop_settings(const Context& context, const Arguments& arguments) {
  agentloop::Settings settings;
  TRY_ASSIGN(settings.directory, loop_workspace(arguments));
  TRY_ASSIGN(settings.id,
             checked_loop_id(arguments.given("id") ? arguments.text("id") : new_loop_id(settings.directory)));
  settings.turn_key = random_hex(kTurnKeyBytes);
  settings.agent = agentloop::agent_called(arguments.text("agent"));
  settings.arguments = arguments.rest();
  TRY(read_task(context, arguments, settings));
  TRY(read_ends(arguments, settings));
  settings.goes_on = arguments.on("continue");
  settings.worktree = arguments.text("worktree");
  if (arguments.given("worktree") && !agentloop::is_loop_id(settings.worktree))
    return not_understood("worktree", settings.worktree, "a name of letters, digits, - and _");
  if (!arguments.on("host") && !wants_host_mode()) settings.sandbox = loop_sandbox_name(settings.id, settings.agent);
  TRY(agentloop::agent_line({settings.agent, "", settings.arguments, settings.goes_on}));
  return settings;
}

Result<> begin_loop(const Context& context, agentloop::Settings settings, const LoopSandboxWish& wish) {
  TRY_ASSIGN(const std::string home, loops_home());
  TRY_ASSIGN(const Client client, context.client());  // before there are files that would be left
  TRY_ASSIGN(const agentloop::LoopFiles files, agentloop::LoopFiles::create(home, settings));
  TRY_ASSIGN(Fd lock, files.take_lock());
  if (settings.sandbox.empty()) {
    warn_of_host_mode("the agent " + settings.agent);
    return start_worker(context, files, settings.id, std::move(lock));
  }
  Progress progress(context.streams.err, false);
  const auto ready = ready_loop_sandbox(client, wish, [&](const Step& step) { progress.show(step); });
  if (!ready) {
    if (const auto removed = remove_tree(files.directory()); !removed)
      note("warning: the loop's files are left: " + printable(removed.error().what()));
    return fail(Error(ready.error()));
  }
  settings.directory = ready->workspaces.front().target;  // without links
  TRY(files.replace_settings(settings));
  return start_worker(context, files, settings.id, std::move(lock));
}

}  // namespace sbx::cli
