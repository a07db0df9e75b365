// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/grammar/common_flags.h"
#include "cli/grammar/flag_tables.h"

namespace sbx::cli {
namespace {

constexpr Flag kPreset{.name = "preset",
                       .kind = FlagKind::kText,
                       .value = "NAME",
                       .help =
                           "Network policy of the sandbox: agent (deny all but its agent's hosts, packages and code), "
                           "or none for your default",
                       .fallback = "agent",
                       .candidates = Candidates::kWords,
                       .words = "agent none"};
constexpr Flag kAllowHost{
    .name = "allow-host", .kind = FlagKind::kList, .value = "HOST", .help = "Allow this host as well"};
constexpr Flag kLoopWorkspace{.name = "workspace",
                              .kind = FlagKind::kText,
                              .value = "DIR",
                              .help = "Directory that the agent works in (default: the current one)",
                              .candidates = Candidates::kDirectories};
constexpr Flag kLoopStartFlags[] = {
    kAllowHost,
    kEnv,
    kEnvFile,
    kJson,
    kPreset,
    kTemplate,
    {.name = "tool",
     .kind = FlagKind::kList,
     .value = "AGENT",
     .help = "An agent that gets a sandbox; may be given several times (default: claude)",
     .candidates = Candidates::kAgents},
    kLoopWorkspace,
};
constexpr Flag kLoopExecFlags[] = {
    kEnv,
    kEnvFile,
    {.name = "timeout",
     .kind = FlagKind::kText,
     .value = "TIME",
     .help = "End the command, and all that it has started, after this time",
     .fallback = "20m"},
    kWorkdir,
};
constexpr Flag kLoopRunFlags[] = {
    {.name = "agent",
     .kind = FlagKind::kText,
     .value = "AGENT",
     .help = "Who is asked",
     .fallback = "claude",
     .candidates = Candidates::kAgents},
    kAllowHost,
    {.name = "budget",
     .kind = FlagKind::kText,
     .value = "TIME",
     .help = "How long all iterations may take together; 0: no limit",
     .fallback = "4h"},
    {.name = "continue", .help = "Go on with the agent's last conversation instead of a new one each time"},
    {.name = "detach", .letter = 'd', .help = "Print the loop's id, and do not show its log"},
    kEnv,
    kEnvFile,
    {.name = "host", .help = "Run the agent on this host, in no sandbox; as AGENT_LOOP_HOST=1"},
    {.name = "id", .kind = FlagKind::kText, .value = "ID", .help = "The loop's id (default: <directory>-<digits>)"},
    {.name = "idle-timeout",
     .kind = FlagKind::kText,
     .value = "TIME",
     .help = "End an agent that prints nothing for so long; 0: no limit",
     .fallback = "10m"},
    {.name = "iteration-timeout",
     .kind = FlagKind::kText,
     .value = "TIME",
     .help = "End an agent that takes so long; 0: no limit",
     .fallback = "20m"},
    {.name = "max", .kind = FlagKind::kText, .value = "N", .help = "Most iterations; 0: no limit", .fallback = "30"},
    {.name = "on-fail",
     .kind = FlagKind::kText,
     .value = "WHAT",
     .help = "What becomes of the files of an agent that fails or is ended: keep or revert",
     .fallback = "keep",
     .candidates = Candidates::kWords,
     .words = "keep revert"},
    {.name = "prd",
     .kind = FlagKind::kText,
     .value = "FILE",
     .help = "The task is the stories of this file, prd.json, which is kept up to date",
     .candidates = Candidates::kFiles},
    kPreset,
    {.name = "prompt",
     .kind = FlagKind::kText,
     .value = "FILE",
     .help = "The task is what this file says; -: standard input",
     .candidates = Candidates::kFiles},
    {.name = "tasks",
     .kind = FlagKind::kText,
     .value = "FILE",
     .help = "The task is the boxes of this Markdown file, - [ ]",
     .candidates = Candidates::kFiles},
    kTemplate,
    {.name = "until",
     .kind = FlagKind::kText,
     .value = "PROMISE",
     .help = "The agent is done when this is the last line that it says (default: COMPLETE, but none with --tasks or "
             "--until-cmd); with --prd it passes a story"},
    {.name = "until-cmd",
     .kind = FlagKind::kText,
     .value = "COMMAND",
     .help = "It is done when this command succeeds in the sandbox, whatever the agent says; with --prd or --tasks, "
             "when the whole list is done as well"},
    kLoopWorkspace,
    {.name = "worktree",
     .kind = FlagKind::kText,
     .value = "NAME",
     .help = "Work in a git worktree, .worktrees/NAME, on a branch of that name"},
};
constexpr Flag kLoopLogsFlags[] = {{.name = "follow", .letter = 'f', .help = "Go on until the loop ends"}};
constexpr Flag kLoopResumeFlags[] = {
    {.name = "max", .kind = FlagKind::kText, .value = "N", .help = "Another limit of iterations"},
};
constexpr Flag kRalphCommandFlags[] = {
    kAllowHost, kEnv, kEnvFile, kPreset, kTemplate,
};

}  // namespace

std::span<const Flag> loop_exec_flags() { return kLoopExecFlags; }
std::span<const Flag> loop_logs_flags() { return kLoopLogsFlags; }
std::span<const Flag> loop_resume_flags() { return kLoopResumeFlags; }
std::span<const Flag> loop_run_flags() { return kLoopRunFlags; }
std::span<const Flag> loop_start_flags() { return kLoopStartFlags; }
std::span<const Flag> ralph_flags() { return kRalphCommandFlags; }

}  // namespace sbx::cli
