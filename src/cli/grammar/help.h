// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/commands.h"

// Help and docs/cli.md, from the command table. `program` is how the user calls us.
namespace sbx::cli {

std::string overview(std::string_view program);
std::string command_help(std::string_view program, const CliCommand& command);
std::string markdown(std::string_view program);

}  // namespace sbx::cli
