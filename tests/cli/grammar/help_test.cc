// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/grammar/help.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "cli/grammar/wrap.h"

namespace sbx::cli {
namespace {

void expect_narrow(const std::string& help) {
  for (const std::string& line : split(help, '\n')) EXPECT_LE(line.size(), kHelpWidth) << line;
}

TEST(Help, FitsIntoEightyColumns) {
  for (const char* program : {"sandbox", "docker sandbox"}) {
    expect_narrow(overview(program));
    for (const CliCommand& command : command_table()) expect_narrow(command_help(program, command));
  }
}

TEST(Help, EveryExampleBeginsWithTheProgramOrPipesIntoIt) {
  for (const std::string program : {"sandbox", "docker sandbox"})
    for (const CliCommand& command : command_table()) {
      if (command.examples.empty()) continue;
      for (const std::string& line : examples(program, command))
        EXPECT_TRUE(line.starts_with(program + " ") || line.find("| " + program + " ") != std::string::npos) << line;
    }
}

TEST(Help, AnExampleOfAnotherCommandHasTheProgramsNameToo) {
  std::size_t used = 0;
  const std::vector<std::string> words{"save"};
  const std::string help = command_help("docker sandbox", *find_command(words, used));
  EXPECT_NE(help.find("\n  docker sandbox create -t my-tools:1 shell .\n"), std::string::npos) << help;
}

TEST(Help, BreaksLinesBetweenWords) {
  EXPECT_EQ(wrapped("one two three", 4, 2, 10), "one\n  two\n  three");
  EXPECT_EQ(wrapped("overlongword b", 0, 1, 5), "overlongword\n b");
  EXPECT_EQ(wrapped_paragraphs("a\nb\n\nc", 80), "a b\n\nc");
}

}  // namespace
}  // namespace sbx::cli
