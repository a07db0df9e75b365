// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/ralph_options.h"

#include "agentloop/ralph_agents.h"
#include "agentloop/ralph_files.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"

namespace sbx::agentloop {
namespace {

constexpr Flag kRalphFlags[] = {
    {.name = "abort-promise", .kind = FlagKind::kText, .value = "TEXT", .help = "By this the agent gives up"},
    {.name = "add-context", .kind = FlagKind::kText, .value = "TEXT", .help = "Add words to the next iteration"},
    {.name = "add-task", .kind = FlagKind::kText, .value = "TEXT", .help = "Add a task to the list"},
    {.name = "agent",
     .kind = FlagKind::kText,
     .value = "AGENT",
     .help = "opencode, claude-code, codex, copilot or cursor-agent (default: the first of them that is here)"},
    {.name = "allow-all", .help = "The agent asks for no permission, which is so anyway"},
    {.name = "config",
     .kind = FlagKind::kText,
     .value = "FILE",
     .help = "More agents: JSON, {\"agents\": [{\"type\", \"command\", \"argsTemplate\"}]}; else "
             "~/.config/open-ralph-wiggum/agents.json"},
    {.name = "clear-context", .help = "Throw away what waits for the next iteration"},
    {.name = "completion-promise",
     .kind = FlagKind::kText,
     .value = "TEXT",
     .help = "By this the agent says that it is done",
     .fallback = "COMPLETE"},
    {.name = "file", .letter = 'f', .kind = FlagKind::kText, .value = "FILE", .help = "Read the prompt from a file"},
    {.name = "help", .letter = 'h', .help = "Show help"},
    {.name = "init-config", .help = "Write a configuration with all agents into FILE, for --config"},
    {.name = "last-activity-timeout",
     .kind = FlagKind::kText,
     .value = "TIME",
     .help = "End an agent that prints nothing for so long: 30m, 1h, 300s"},
    {.name = "list-tasks", .help = "Show the tasks"},
    {.name = "max-iterations", .kind = FlagKind::kText, .value = "N", .help = "0: no limit", .fallback = "0"},
    {.name = "min-iterations", .kind = FlagKind::kText, .value = "N", .help = "At least so many", .fallback = "1"},
    {.name = "model", .kind = FlagKind::kText, .value = "MODEL", .help = "The agent's model"},
    {.name = "no-allow-all", .help = "The agent may ask for permission: what it is not given, it does not do"},
    {.name = "no-commit", .help = "Do not commit after each iteration"},
    {.name = "no-plugins", .help = "No effect: none are used"},
    {.name = "no-questions", .help = "Do not wait for an answer when the agent has asked something"},
    {.name = "no-stream", .help = "No effect: output is shown as it comes"},
    {.name = "prompt-file", .kind = FlagKind::kText, .value = "FILE", .help = "As --file"},
    {.name = "prompt-template",
     .kind = FlagKind::kText,
     .value = "FILE",
     .help = "Ask with these words: {{prompt}}, {{context}}, {{iteration}}, {{completion_promise}}, {{tasks}}, ..."},
    {.name = "questions",
     .help = "Read an answer when the agent has asked something (default: on a terminal), for the next iteration"},
    {.name = "remove-task", .kind = FlagKind::kText, .value = "N", .help = "Remove a task and its parts"},
    {.name = "rotation",
     .kind = FlagKind::kText,
     .value = "AGENT:MODEL,...",
     .help = "Ask these in turn, one each iteration, instead of --agent and --model"},
    {.name = "status", .help = "Show the loop; with --tasks the tasks, too"},
    {.name = "stream", .help = "No effect: output is shown as it comes"},
    {.name = "task-promise",
     .kind = FlagKind::kText,
     .value = "TEXT",
     .help = "By this the agent says that a task is done",
     .fallback = "READY_FOR_NEXT_TASK"},
    {.name = "tasks", .letter = 't', .help = "Work on .ralph/ralph-tasks.md, task by task"},
    {.name = "verbose-tools", .help = "No effect: tools are shown"},
    {.name = "version", .letter = 'v', .help = "Show the version"},
};

// claude-code:sonnet,codex: the model may be left to the agent.
Result<std::vector<AgentChoice>> rotation_of(const Arguments& arguments, const RalphAgents& agents) {
  std::vector<AgentChoice> rotation;
  if (!arguments.given("rotation")) return rotation;
  for (const std::string& entry : split(arguments.text("rotation"), ',')) {
    const std::string word(trimmed(entry));
    const std::size_t colon = word.find(':');
    TRY_ASSIGN(AgentChoice choice, agents.named(word.substr(0, colon)));
    if (colon != std::string::npos) choice.model = word.substr(colon + 1);
    rotation.push_back(std::move(choice));
  }
  return rotation;
}

Result<> choose_agents(const Arguments& arguments, RalphOptions& options) {
  Settings& settings = options.settings;
  TRY_ASSIGN(const RalphAgents agents, RalphAgents::read(arguments.text("config")));
  TRY_ASSIGN(settings.rotation, rotation_of(arguments, agents));
  AgentChoice choice;
  if (settings.rotation.empty()) {
    TRY_ASSIGN(choice, arguments.given("agent") ? agents.named(arguments.text("agent")) : agents.first_here());
    options.model = arguments.text("model");
  } else {
    choice = settings.rotation.front();
  }
  settings.agent = choice.agent;
  settings.program = choice.program;
  settings.asks_permission = arguments.on("no-allow-all");
  if (!options.model.empty()) settings.arguments = {"--model", options.model};
  settings.arguments.insert(settings.arguments.end(), arguments.rest().begin(), arguments.rest().end());
  return Ok{};
}

Result<std::int64_t> count_of(const Arguments& arguments, const char* flag) {
  const auto count = parse_integer(arguments.text(flag));
  if (!count || *count < 0) return fail(Code::kInvalid, sbx::format("--{}: must be a number", flag));
  return *count;
}

// The words of the prompt, or, if it is one word that names a file, what is in the file.
Result<std::string> prompt_of(const Arguments& arguments) {
  for (const char* flag : {"file", "prompt-file"})
    if (arguments.given(flag)) return read_file(arguments.text(flag));
  const auto& operands = arguments.operands();
  if (operands.size() == 1 && exists(operands.front())) return read_file(operands.front());
  return join(operands, " ");
}

Result<> read_limits(const Arguments& arguments, Settings& settings) {
  TRY_ASSIGN(settings.most, count_of(arguments, "max-iterations"));
  TRY_ASSIGN(settings.least, count_of(arguments, "min-iterations"));
  settings.iteration_timeout_s = settings.budget_s = settings.idle_timeout_s = 0;
  if (arguments.given("last-activity-timeout")) {
    const auto idle = parse_duration(arguments.text("last-activity-timeout"));
    if (!idle) return fail(Code::kInvalid, "--last-activity-timeout: must be a time such as 30m");
    settings.idle_timeout_s = *idle;
  }
  if (settings.most > 0 && settings.least > settings.most)
    return fail(Code::kInvalid, "--min-iterations is more than --max-iterations");
  return Ok{};
}

}  // namespace

std::span<const Flag> ralph_flags() { return kRalphFlags; }

std::string ralph_help() {
  std::string text =
      "ralph \"PROMPT\"|FILE [OPTIONS] [-- AGENT_ARGS]\n"
      "Asks an agent again and again, until it ends its last message with <promise>COMPLETE</promise>.\n\n";
  for (const Flag& flag : kRalphFlags) {
    std::string name =
        flag.letter != 0 ? sbx::format("-{}, --{}", flag.letter, flag.name) : sbx::format("--{}", flag.name);
    if (!flag.value.empty()) name += " " + std::string(flag.value);
    text += sbx::format("  {:<32} {}\n", name, flag.help);
  }
  return text;
}

Result<RalphOptions> ralph_options(const Arguments& arguments, const std::string& directory) {
  RalphOptions options{.settings = {}, .model = "", .template_file = arguments.text("prompt-template")};
  Settings& settings = options.settings;
  settings.directory = directory;
  settings.task_promise = arguments.text("task-promise");
  TRY(choose_agents(arguments, options));
  if (arguments.given("prompt-template")) {
    TRY_ASSIGN(settings.prompt_template, read_file(options.template_file));
    if (trimmed(settings.prompt_template).empty()) return fail(Code::kInvalid, "--prompt-template: the file is empty");
  }
  TRY_ASSIGN(settings.prompt, prompt_of(arguments));
  if (arguments.on("tasks")) settings.tasks = std::string(kRalphTasks);
  if (trimmed(settings.prompt).empty() && settings.tasks.empty()) return fail(Code::kInvalid, "there is no prompt");
  settings.promise = arguments.text("completion-promise");
  settings.abort_promise = arguments.text("abort-promise");
  settings.tagged_only = true;
  if (arguments.on("tasks") && settings.promise == settings.task_promise)
    return fail(Code::kInvalid, "--completion-promise and --task-promise have to differ");
  TRY(read_limits(arguments, settings));
  settings.stops_when_stuck = false;
  settings.commits = !arguments.on("no-commit");
  return options;
}

}  // namespace sbx::agentloop
