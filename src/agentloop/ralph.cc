// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/ralph.h"

#include <unistd.h>

#include <cstdio>

#include "agentloop/context.h"
#include "agentloop/engine.h"
#include "agentloop/local_world.h"
#include "agentloop/ralph_agents.h"
#include "agentloop/ralph_files.h"
#include "agentloop/ralph_status.h"
#include "agentloop/tasks.h"
#include "base/file.h"
#include "base/format.h"
#include "base/random.h"
#include "base/text.h"
#include "version.h"

namespace sbx::agentloop {
namespace {

void say(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

Result<int> add_words(const Arguments& arguments, const std::string& directory) {
  TRY(make_directories(directory + "/.ralph", 0755));
  TRY(add_context(directory + "/.ralph/ralph-context.md", arguments.text("add-context")));
  const auto active = RalphFiles::active(directory);
  say(active ? sbx::format("Context added. Iteration {} gets it.\n",
                           active->second.next() + (active->second.current ? 1 : 0))
             : "Context added. The next loop gets it.\n");
  return 0;
}

Result<int> clear_words(const std::string& directory) {
  for (const char* name : {"ralph-context.md", "ralph-context.taken"}) TRY(remove_file(directory + "/.ralph/" + name));
  say("Context cleared.\n");
  return 0;
}

Result<int> change_tasks(const Arguments& arguments, const std::string& directory) {
  const std::string path = directory + "/" + std::string(kRalphTasks);
  TRY(make_directories(directory + "/.ralph", 0755));
  std::string text = read_file(path).value_or("# Ralph Tasks\n\n");
  if (arguments.given("add-task")) {
    if (!text.ends_with('\n')) text += '\n';
    text += "- [ ] " + arguments.text("add-task") + "\n";
  } else {
    const auto number = parse_integer(arguments.text("remove-task"));
    const std::string shorter = number && *number > 0 ? without_task(text, static_cast<std::size_t>(*number)) : text;
    if (shorter == text) return fail(Code::kInvalid, "there is no task " + printable(arguments.text("remove-task")));
    text = shorter;
  }
  TRY(replace_file(path, text, 0644));
  say(tasks_text(directory));
  return 0;
}

// A file that is there is perhaps the user's own work.
Result<int> init_config(const Arguments& arguments) {
  const std::string path = arguments.operands().empty() ? usual_ralph_config_path() : arguments.operands().front();
  const std::size_t slash = path.rfind('/');
  if (slash != std::string::npos && slash > 0) TRY(make_directories(path.substr(0, slash), 0755));
  TRY(create_file(path, usual_ralph_config()));
  say("The agents are in " + printable(path) + ": change it, or add your own.\n");
  return 0;
}

Result<int> conclude(const RalphFiles& files, const State& state) {
  switch (state.outcome) {
    case Outcome::kComplete:
    case Outcome::kAborted:
      TRY(files.clear_all());
      return state.outcome == Outcome::kComplete ? 0 : 1;
    case Outcome::kCancelled:
      TRY(files.clear_state());
      return 0;
    default:
      TRY(files.clear_state());
      return 1;
  }
}

// No other loop's, whose turns would be taken for this one's.
std::string new_id() { return "ralph-" + random_hex(8); }

bool reads_answers(const Arguments& arguments) {
  return !arguments.on("no-questions") && (arguments.on("questions") || ::isatty(STDIN_FILENO) != 0);
}

Result<int> run_ralph(const Arguments& arguments, const std::string& directory) {
  TRY_ASSIGN(const Fd lock, lock_ralph(directory));
  State state;
  RalphOptions options;
  auto active = RalphFiles::active(directory);
  const bool goes_on = active.has_value();
  if (goes_on) {
    say(sbx::format("Going on with the loop that began {}; its own settings hold.\n", active->second.started_at));
    options = std::move(active->first);
    state = std::move(active->second);
  } else {
    TRY_ASSIGN(options, ralph_options(arguments, directory));
    options.settings.id = new_id();
  }
  options.reads_answers = reads_answers(arguments);
  RalphFiles files(directory, options);
  if (goes_on)
    files.recall();
  else
    TRY(files.clear_questions());
  LocalWorld world("/tmp/.ralph-" + std::to_string(::getuid()));
  cancel_on_signals();
  TRY(Engine(options.settings, state, world, files).run());
  return conclude(files, state);
}

Result<int> act(const std::vector<std::string>& words) {
  TRY_ASSIGN(const Arguments arguments, parse_flags(words, all_of({ralph_flags()}), Grammar::kSplitAtDashes));
  if (arguments.on("help")) return say(ralph_help()), 0;
  if (arguments.on("version")) return say("ralph " SANDBOXD_VERSION "\n"), 0;
  if (arguments.on("init-config")) return init_config(arguments);
  TRY_ASSIGN(const std::string directory, canonical_path("."));
  if (arguments.on("status")) return say(status_text(directory, arguments.on("tasks"))), 0;
  if (arguments.on("list-tasks")) return say(tasks_text(directory)), 0;
  if (arguments.given("add-context")) return add_words(arguments, directory);
  if (arguments.on("clear-context")) return clear_words(directory);
  if (arguments.given("add-task") || arguments.given("remove-task")) return change_tasks(arguments, directory);
  return run_ralph(arguments, directory);
}

}  // namespace

int ralph_main(const std::vector<std::string>& words) {
  if (words.size() == 1 && words.front() == kTurnWord) return turn_main();
  if (words.size() == 1 && words.front() == kTurnWithInputWord) return turn_with_input_main();
  const auto code = act(words);
  if (code) return *code;
  std::fprintf(stderr, "ralph: %s\n", code.error().what().c_str());
  if (!code.error().hint().empty()) std::fprintf(stderr, "try: %s\n", code.error().hint().c_str());
  return 1;
}

}  // namespace sbx::agentloop
