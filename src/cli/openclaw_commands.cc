// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "cli/commands.h"
#include "cli/commands/verbs.h"
#include "cli/grammar/flag_tables.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kWholeCommand = std::numeric_limits<std::size_t>::max();

const CliCommand kOpenclawCommands[] = {
    {.name = "openclaw",
     .group = kManagementGroup,
     .usage = "COMMAND",
     .summary = "Run commands of OpenClaw's sessions in sandboxes",
     .details = "docs/openclaw.md explains what of the configuration is read. Through a link by the name\n"
                "openclaw, `openclaw sandbox status` is the same as `sandbox openclaw status`."},
    {.name = "openclaw exec",
     .group = kManagementGroup,
     .usage = "[OPTIONS] KEY -- COMMAND [ARG...]",
     .summary = "Run a command of a session where the configuration says",
     .details = "The mode and the session's key decide: in the session's sandbox, which is made if there is\n"
                "none, or, for the main session in the mode non-main and for all in the mode off, on this host,\n"
                "with a warning. A tool that is denied is refused, with the rule. The exit code is the\n"
                "command's; 124 means that it was ended at its time limit, with all that it had started.",
     .examples = "openclaw exec agent:main:telegram:group:42 -- ls -la\n"
                 "openclaw exec agent:main:main --tool read -- cat README.md",
     .flags = openclaw_exec_flags(),
     .grammar = Grammar::kSplitAtDashes,
     .fewest = 2,
     .most = kWholeCommand,
     .handler = verbs::openclaw_exec},
    {.name = "openclaw status",
     .alias = "openclaw list",
     .group = kManagementGroup,
     .usage = "[OPTIONS]",
     .summary = "List the sandboxes of sessions",
     .flags = json_flags(),
     .handler = verbs::openclaw_status},
    {.name = "openclaw cleanup",
     .group = kManagementGroup,
     .usage = "[OPTIONS]",
     .summary = "Remove the sandboxes of all sessions, or of one, and what was logged",
     .details = "What sessions have written to their workspaces on this host stays. May be repeated.",
     .examples = "openclaw cleanup\nopenclaw cleanup --session agent:main:telegram:group:42",
     .flags = openclaw_cleanup_flags(),
     .handler = verbs::openclaw_cleanup},
    {.name = "openclaw logs",
     .group = kManagementGroup,
     .usage = "[OPTIONS] KEY",
     .summary = "Show what a session has run, what that has printed, and what was refused",
     .flags = openclaw_logs_flags(),
     .fewest = 1,
     .most = 1,
     .handler = verbs::openclaw_logs},
    {.name = "openclaw explain",
     .group = kManagementGroup,
     .usage = "[OPTIONS] [KEY=main]",
     .summary = "Say where a session's commands run, which tools it has, and why",
     .details = "Nothing is made or started but the daemon.",
     .examples = "openclaw explain agent:main:telegram:group:42\nopenclaw explain --tool browser --json main",
     .flags = openclaw_explain_flags(),
     .most = 1,
     .handler = verbs::openclaw_explain},
};

}  // namespace

std::span<const CliCommand> openclaw_commands() { return kOpenclawCommands; }

}  // namespace sbx::cli
