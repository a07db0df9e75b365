// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/flags.h"

// Flags that commands of several tables have.
namespace sbx::cli {

inline constexpr Flag kEnv{.name = "env",
                           .letter = 'e',
                           .kind = FlagKind::kList,
                           .value = "KEY[=VALUE]",
                           .help = "Set a variable; without a value, pass on yours"};
inline constexpr Flag kEnvFile{.name = "env-file",
                               .kind = FlagKind::kList,
                               .value = "FILE",
                               .help = "Read variables from a file",
                               .candidates = Candidates::kFiles};
inline constexpr Flag kTemplate{.name = "template",
                                .letter = 't',
                                .kind = FlagKind::kText,
                                .value = "TEMPLATE",
                                .help = "Template to make the sandbox from (default: the agent's)",
                                .candidates = Candidates::kTemplates};
inline constexpr Flag kWorkdir{.name = "workdir",
                               .letter = 'w',
                               .kind = FlagKind::kText,
                               .value = "DIR",
                               .help = "Working directory in the sandbox (default: the workspace)"};
inline constexpr Flag kJson{.name = "json", .help = "Print JSON"};

}  // namespace sbx::cli
