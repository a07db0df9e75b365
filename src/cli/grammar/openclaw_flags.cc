// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/grammar/common_flags.h"
#include "cli/grammar/flag_tables.h"

namespace sbx::cli {
namespace {

constexpr Flag kConfig{.name = "config",
                       .kind = FlagKind::kText,
                       .value = "FILE",
                       .help = "Configuration of OpenClaw, JSON5 (default: ~/.openclaw/openclaw.json)",
                       .candidates = Candidates::kFiles};
constexpr Flag kSession{.name = "session", .kind = FlagKind::kText, .value = "KEY", .help = "Of this session only"};
constexpr Flag kTool{.name = "tool",
                     .kind = FlagKind::kText,
                     .value = "NAME",
                     .help = "The tool of OpenClaw's that the command is for; the lists of tools decide on it",
                     .fallback = "bash",
                     .candidates = Candidates::kWords,
                     .words = "bash process read write edit apply_patch"};

constexpr Flag kOpenclawExecFlags[] = {
    kConfig,
    kEnv,
    kEnvFile,
    {.name = "interactive", .letter = 'i', .help = "Give the command standard input"},
    {.name = "timeout",
     .kind = FlagKind::kText,
     .value = "TIME",
     .help = "End the command, and all that it has started, earlier than the configuration says"},
    kTool,
    kWorkdir,
};
constexpr Flag kOpenclawCleanupFlags[] = {kConfig, kSession};
constexpr Flag kOpenclawLogsFlags[] = {
    kConfig,
    {.name = "tail", .kind = FlagKind::kText, .value = "LINES", .help = "The last lines only"},
};
constexpr Flag kOpenclawExplainFlags[] = {kConfig, kJson, kSession, kTool};

}  // namespace

std::span<const Flag> openclaw_exec_flags() { return kOpenclawExecFlags; }
std::span<const Flag> openclaw_cleanup_flags() { return kOpenclawCleanupFlags; }
std::span<const Flag> openclaw_logs_flags() { return kOpenclawLogsFlags; }
std::span<const Flag> openclaw_explain_flags() { return kOpenclawExplainFlags; }

}  // namespace sbx::cli
