// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/flags.h"
#include "cli/context.h"
#include "cli/grammar/flag_tables.h"

namespace sbx::cli {

// The exit code, or the error that main shows.
using Handler = Result<int> (*)(Context& context, const Arguments& arguments);

// One command. Parsing, help, completion and docs/cli.md all come from this.
struct CliCommand {
  std::string_view name;  // "ls", "daemon start"
  std::string_view alias = {};
  std::string_view group = {};
  std::string_view usage = {};  // what follows the name
  std::string_view summary = {};
  std::string_view details = {};
  std::string_view examples = {};  // one a line, without the program's name
  std::span<const Flag> flags = {};
  Grammar grammar = Grammar::kInterspersed;
  std::size_t fewest = 0;  // operands, the words after them included
  std::size_t most = 0;
  Candidates candidates = Candidates::kNone;
  Candidates more_candidates = Candidates::kNone;  // of the operands after the first; kNone: the same
  std::string_view words = {};                     // for Candidates::kWords
  bool hidden = false;
  Handler handler = nullptr;  // none: a group, such as "daemon"
};

inline constexpr std::string_view kManagementGroup = "Management";

std::span<const CliCommand> command_table();
std::span<const CliCommand> loop_commands();      // the part of it that is `loop ...` and `ralph`
std::span<const CliCommand> mcp_commands();       // and `mcp ...`
std::span<const CliCommand> openclaw_commands();  // and `openclaw ...`
std::span<const CliCommand> secret_commands();    // and `secret ...`

// By the one or two words that name it. `used` is how many.
const CliCommand* find_command(std::span<const std::string> words, std::size_t& used);

// The command that was probably meant; empty when nothing is near.
std::string_view nearest_command(std::string_view word);

}  // namespace sbx::cli
