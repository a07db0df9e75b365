// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"

// Help and docs/cli.md, from the command table. `program` is how the user calls us.
namespace sbx::cli {

std::string overview(std::string_view program);
std::string command_help(std::string_view program, const CliCommand& command);
std::string markdown(std::string_view program);
// The command's examples as they are typed: those that begin with a command of ours have the program's name before it.
std::vector<std::string> examples(std::string_view program, const CliCommand& command);

}  // namespace sbx::cli
