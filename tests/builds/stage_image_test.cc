// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/stage_image.h"

#include <gtest/gtest.h>

namespace sbx::builds {
namespace {

// A stage after these lines.
StageImage after(const std::string& lines, const dockerfile::Scope& given = {}) {
  const auto file = dockerfile::parse("FROM x\n" + lines);
  EXPECT_TRUE(file) << file.error().what();
  StageImage stage;
  for (const auto& instruction : file->stages.front().instructions) {
    const auto applied = apply(instruction, given, stage);
    EXPECT_TRUE(applied) << applied.error().what();
  }
  return stage;
}

std::vector<std::string> command_of_run(const std::string& lines) {
  const auto file = dockerfile::parse("FROM x\n" + lines);
  EXPECT_TRUE(file) << file.error().what();
  return run_command(file->stages.front().instructions.front(), {});
}

TEST(StageImage, TheEnvironmentIsKeptAndSeenByWhatFollows) {
  const StageImage stage = after("ENV A=1 B=two\nENV A=$A$B\n");
  EXPECT_EQ(stage.image.config.environment, (std::vector<std::string>{"A=1two", "B=two"}));
}

TEST(StageImage, AnArgumentIsWhatIsGivenOrItsDefault) {
  const StageImage stage = after("ARG V=1\nARG W=2\nENV X=$V-$W\n", {{"W", "9"}, {"UNASKED", "x"}});
  EXPECT_EQ(stage.image.config.environment, (std::vector<std::string>{"X=1-9"}));
  EXPECT_FALSE(stage.scope().contains("UNASKED"));
}

TEST(StageImage, TheEnvironmentWinsOverAnArgument) {
  EXPECT_EQ(after("ENV A=image\nARG A=argument\n").scope().at("A"), "image");
}

TEST(StageImage, WorkingDirectoriesAddUp) {
  EXPECT_EQ(after("").directory(), "/");
  EXPECT_EQ(after("WORKDIR /a\nWORKDIR b\n").directory(), "/a/b");
  EXPECT_EQ(after("WORKDIR b\n").directory(), "/b");
}

TEST(StageImage, CommandsAreWordsOrALineForTheShell) {
  EXPECT_EQ(after("CMD [\"a\", \"b\"]\n").image.config.command, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(after("CMD a b\n").image.config.command, (std::vector<std::string>{"/bin/sh", "-c", "a b"}));
  EXPECT_EQ(after("SHELL [\"/bin/bash\", \"-ec\"]\nCMD a\n").image.config.command,
            (std::vector<std::string>{"/bin/bash", "-ec", "a"}));
  EXPECT_TRUE(after("CMD a\nENTRYPOINT [\"b\"]\n").image.config.command.empty());
}

TEST(StageImage, WithoutAUserItIsRoot) {
  EXPECT_EQ(after("").user(), "root");
  EXPECT_EQ(after("USER agent\n").user(), "agent");
}

TEST(StageImage, VariablesOfVariablesDoNotGrowWithoutEnd) {
  std::string lines = "FROM x\nENV A=" + std::string(200u << 10, 'a') + "\n";
  for (int i = 0; i < 10; ++i) lines += "ENV B" + std::to_string(i) + "=$A\n";
  const auto file = dockerfile::parse(lines);
  ASSERT_TRUE(file);
  StageImage stage;
  Result<> applied = Ok{};
  for (const auto& instruction : file->stages.front().instructions)
    if (applied) applied = apply(instruction, {}, stage);
  EXPECT_EQ(applied.error().code(), Code::kTooLarge);
}

TEST(StageImage, OnbuildIsRefused) {
  const auto file = dockerfile::parse("FROM x\nONBUILD RUN true\n");
  StageImage stage;
  EXPECT_EQ(apply(file->stages.front().instructions.front(), {}, stage).error().code(), Code::kUnsupported);
}

TEST(RunCommand, AHeredocIsTheScriptOrStandsWhereItWas) {
  EXPECT_EQ(command_of_run("RUN <<'EOF'\necho a\nEOF\n"), (std::vector<std::string>{"/bin/sh", "-c", "echo a\n"}));
  EXPECT_EQ(command_of_run("RUN cat <<E > /x\none\nE\n"),
            (std::vector<std::string>{"/bin/sh", "-c", "cat <<E > /x\none\nE\n"}));
  EXPECT_EQ(command_of_run("RUN [\"a\", \"<<b\"]\n"), (std::vector<std::string>{"a", "<<b"}));
}

}  // namespace
}  // namespace sbx::builds
