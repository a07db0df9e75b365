// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "cli/grammar/help.h"
#include "support/golden.h"
#include "support/paths.h"

namespace sbx::cli {
namespace {

using Words = std::vector<std::string>;

const CliCommand* found(const Words& words, std::size_t expected_words) {
  std::size_t used = 0;
  const CliCommand* command = find_command(words, used);
  EXPECT_EQ(used, expected_words);
  return command;
}

TEST(Commands, AreFoundByNameAliasAndTwoWords) {
  EXPECT_EQ(found({"list"}, 1)->name, "ls");
  EXPECT_EQ(found({"remove", "box"}, 1)->name, "rm");
  EXPECT_EQ(found({"daemon", "status"}, 2)->name, "daemon status");
  EXPECT_EQ(found({"daemon", "nonsense"}, 1)->name, "daemon");
  EXPECT_EQ(found({"exec", "stop"}, 1)->name, "exec");
  EXPECT_EQ(found({"nonsense"}, 0), nullptr);
  EXPECT_EQ(found({"daemon start"}, 0), nullptr);
}

TEST(Commands, NamesFlagsAndLettersAreUniqueWithinTheirTable) {
  std::set<std::string_view> names;
  for (const CliCommand& command : command_table()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    std::set<std::string_view> flags;
    std::set<char> letters;
    for (const Flag* flag : all_of({command.flags, global_flags()})) {
      EXPECT_TRUE(flags.insert(flag->name).second) << command.name << " --" << flag->name;
      const bool is_new = flag->letter == 0 || letters.insert(flag->letter).second;
      EXPECT_TRUE(is_new) << command.name << " -" << flag->letter;
    }
  }
}

TEST(Commands, EveryOneAndEveryFlagIsDescribed) {
  for (const CliCommand& command : command_table()) {
    EXPECT_FALSE(command.summary.empty()) << command.name;
    for (const Flag& flag : command.flags) EXPECT_FALSE(flag.help.empty()) << command.name << " --" << flag.name;
    for (const Flag& flag : command.flags) EXPECT_EQ(flag.value.empty(), flag.kind == FlagKind::kSwitch) << flag.name;
  }
}

TEST(Commands, WhatCreateTakesRunTakesToo) {
  const auto in_run = [](std::string_view name) {
    return std::ranges::any_of(run_flags(), [&](const Flag& flag) { return flag.name == name; });
  };
  // But --json: what run prints is its agent's.
  for (const Flag& flag : create_flags()) EXPECT_TRUE(flag.name == "json" || in_run(flag.name)) << flag.name;
}

TEST(Commands, AMisspeltOneIsGuessed) {
  EXPECT_EQ(nearest_command("exce"), "exec");
  EXPECT_EQ(nearest_command("lisst"), "list");
  EXPECT_EQ(nearest_command("inspct"), "inspect");
  EXPECT_EQ(nearest_command("frobnicate"), "");
}

TEST(Help, LooksLikeDockers) {
  testing::expect_golden("cli/help.txt", overview("sandbox"));
  std::size_t used = 0;
  testing::expect_golden("cli/help-exec.txt", command_help("docker sandbox", *find_command(Words{"exec"}, used)));
  testing::expect_golden("cli/help-network.txt", command_help("sandbox", *find_command(Words{"network"}, used)));
  testing::expect_golden("cli/help-network-proxy.txt",
                         command_help("docker sandbox", *find_command(Words{"network", "proxy"}, used)));
  testing::expect_golden("cli/help-template.txt", command_help("sandbox", *find_command(Words{"template"}, used)));
  testing::expect_golden("cli/help-ports.txt", command_help("sandbox", *find_command(Words{"ports"}, used)));
  testing::expect_golden("cli/help-daemon.txt", command_help("sandbox", *find_command(Words{"daemon"}, used)));
}

TEST(Help, TheManualInDocsIsUpToDate) {
  const auto manual = read_file(sbx::testing::source_file("docs/cli.md"));
  ASSERT_TRUE(manual) << manual.error().what();
  EXPECT_EQ(*manual, markdown("sandbox")) << "sandbox docs-markdown > docs/cli.md";
}

TEST(CommandHelp, OfTemplatesFitsATerminal) {
  for (const CliCommand& command : command_table()) {
    if (!command.name.starts_with("template")) continue;
    for (const std::string& line : split(command_help("sandbox", command), '\n')) EXPECT_LE(line.size(), 80u) << line;
  }
}

}  // namespace
}  // namespace sbx::cli
