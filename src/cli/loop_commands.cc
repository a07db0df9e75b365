// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "cli/commands.h"
#include "cli/commands/verbs.h"
#include "cli/grammar/flag_tables.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kManyWords = std::numeric_limits<std::size_t>::max();

const CliCommand kLoopCommands[] = {
    {.name = "loop",
     .group = kManagementGroup,
     .usage = "COMMAND",
     .summary = "Let an agent work in a sandbox until its task is done",
     .details = "docs/loops.md explains loops."},
    {.name = "loop run",
     .group = kManagementGroup,
     .usage = "[OPTIONS] (--prompt FILE | --prd FILE | --tasks FILE) [-- ARG...]",
     .summary = "Ask an agent again and again until the task is done",
     .details = "A process of its own does it: it goes on when this terminal is closed, and after the\n"
                "daemon has ended. The exit code is 0 if the task is done, 1 if a limit came first. Each\n"
                "iteration is kept as a commit on a ref of the loop's own, for `loop diff` and `loop undo`;\n"
                "your branch is not touched. Three iterations that change no file end the loop.\n"
                "Words after -- are added to the agent's; if the first is no flag they are the whole\n"
                "command, and the prompt becomes its last word.",
     .examples = "loop run --prompt ./PROMPT.md --until-cmd 'make test'\nloop run --agent codex --prd prd.json -d\n"
                 "loop run --agent shell --prompt ./PROMPT.md -- ./my-agent",
     .flags = loop_run_flags(),
     .grammar = Grammar::kSplitAtDashes,
     .most = kManyWords,
     .handler = verbs::loop_run},
    {.name = "loop start",
     .group = kManagementGroup,
     .usage = "[OPTIONS] [ID]",
     .summary = "Make the sandboxes of a loop, one for each tool, and start them",
     .details = "They are named loop-ID-TOOL. The loop's id is printed.",
     .examples = "loop start my-loop --tool claude --tool codex",
     .flags = loop_start_flags(),
     .most = 1,
     .handler = verbs::loop_start},
    {.name = "loop exec",
     .group = kManagementGroup,
     .usage = "[OPTIONS] ID TOOL -- COMMAND [ARG...]",
     .summary = "Run a command in a sandbox of a loop",
     .details = "Without a sandbox, or with AGENT_LOOP_HOST=1, it runs on this host, and says so;\n"
                "AGENT_LOOP_HOST=0 refuses that. The exit code is the command's; 124 means that it\n"
                "was ended at its timeout.",
     .examples = "loop exec my-loop claude -- claude -p 'do the story'",
     .flags = loop_exec_flags(),
     .grammar = Grammar::kSplitAtDashes,
     .fewest = 2,
     .most = kManyWords,
     .handler = verbs::loop_exec},
    {.name = "loop end",
     .group = kManagementGroup,
     .usage = "ID",
     .summary = "End a loop, and remove its sandboxes and all that was kept of it",
     .details = "The files in its workspace stay as they are. May be repeated.",
     .fewest = 1,
     .most = 1,
     .handler = verbs::loop_end},
    {.name = "loop ls",
     .alias = "loop list",
     .group = kManagementGroup,
     .usage = "[OPTIONS]",
     .summary = "List loops",
     .flags = json_flags(),
     .handler = verbs::loop_ls},
    {.name = "loop status",
     .group = kManagementGroup,
     .usage = "[OPTIONS] [ID]",
     .summary = "Show what became of each iteration of a loop",
     .flags = json_flags(),
     .most = 1,
     .handler = verbs::loop_status},
    {.name = "loop logs",
     .group = kManagementGroup,
     .usage = "[OPTIONS] ID",
     .summary = "Show what the agent of a loop has said",
     .flags = loop_logs_flags(),
     .fewest = 1,
     .most = 1,
     .handler = verbs::loop_logs},
    {.name = "loop add-context",
     .group = kManagementGroup,
     .usage = "ID TEXT",
     .summary = "Tell the agent something with the next iteration",
     .examples = "loop add-context my-loop 'leave the parser alone'",
     .fewest = 2,
     .most = 2,
     .handler = verbs::loop_add_context},
    {.name = "loop pause",
     .group = kManagementGroup,
     .usage = "ID",
     .summary = "Begin no further iteration until `loop resume`",
     .fewest = 1,
     .most = 1,
     .handler = verbs::loop_pause},
    {.name = "loop resume",
     .group = kManagementGroup,
     .usage = "[OPTIONS] ID",
     .summary = "Go on with a loop that is paused, was interrupted or has reached a limit",
     .details = "One whose process was killed goes on where it was: an agent that still runs is waited for.",
     .flags = loop_resume_flags(),
     .fewest = 1,
     .most = 1,
     .handler = verbs::loop_resume},
    {.name = "loop cancel",
     .group = kManagementGroup,
     .usage = "ID",
     .summary = "End a loop and the agent that it runs; its sandbox stays",
     .fewest = 1,
     .most = 1,
     .handler = verbs::loop_cancel},
    {.name = "loop diff",
     .group = kManagementGroup,
     .usage = "ID [ITERATION]",
     .summary = "Show what an iteration has changed, or all of them together",
     .fewest = 1,
     .most = 2,
     .handler = verbs::loop_diff},
    {.name = "loop undo",
     .group = kManagementGroup,
     .usage = "ID ITERATION",
     .summary = "Put the files back to what they were after an iteration; 0: before the first",
     .details = "What git ignores is left alone, as are your branch and your index.",
     .fewest = 2,
     .most = 2,
     .handler = verbs::loop_undo},
    {.name = "loop __work",
     .summary = "A loop's own process",
     .fewest = 1,
     .most = 1,
     .hidden = true,
     .handler = verbs::loop_work},
    {.name = "ralph",
     .group = kManagementGroup,
     .usage = "[OPTIONS] [DIR=.] [ITERATIONS=30] [AGENT=claude-code] [-- ARG...]",
     .summary = "Start a ralph loop in a sandbox of its own, and say how to watch it",
     .details = "The task is .ralph/iterate.md, ./PROMPT.md or ./prompt.md of the directory. The loop runs in\n"
                "the sandbox, by its program `ralph`, and goes on without this command. AGENT is one of\n"
                "opencode, claude-code, codex, copilot and cursor-agent. Words after -- go to `ralph`\n"
                "(`ralph --help`). With .ralph/iterate.md the agent is done when it says\n"
                "ALL_TASKS_COMPLETE, else COMPLETE.",
     .examples = "ralph\nralph ~/myproject 50 claude-code\nralph . 20 codex -- --model gpt-5 --no-commit",
     .flags = ralph_flags(),
     .grammar = Grammar::kSplitAtDashes,
     .most = kManyWords,
     .candidates = Candidates::kDirectories,
     .handler = verbs::ralph},
};

}  // namespace

std::span<const CliCommand> loop_commands() { return kLoopCommands; }

}  // namespace sbx::cli
