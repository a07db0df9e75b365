// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "dockerfile/dockerfile.h"

#include <gtest/gtest.h>

namespace sbx::dockerfile {
namespace {

std::string why(std::string_view text) {
  const auto parsed = parse(text);
  return parsed ? "parsed" : parsed.error().what();
}

TEST(Dockerfile, IsStagesOfInstructions) {
  const auto file = parse(
      "# syntax=docker/dockerfile:1\n"
      "ARG TAG=latest\n"
      "FROM debian:${TAG} AS build\n"
      "  run make\n"
      "\n"
      "FROM --platform=linux/amd64 docker/sandbox-templates:claude-code\n"
      "COPY --from=build --chown=1000:1000 /a /b\n"
      "USER agent\n");
  ASSERT_TRUE(file) << file.error().what();
  ASSERT_EQ(file->arguments.size(), 1u);
  ASSERT_EQ(file->stages.size(), 2u);
  EXPECT_EQ(file->stages[0].base, "debian:${TAG}");
  EXPECT_EQ(file->stages[0].name, "build");
  EXPECT_EQ(file->stages[0].instructions[0].word, "RUN");
  EXPECT_EQ(file->stages[0].instructions[0].line, 4u);
  EXPECT_EQ(file->stages[1].platform, "linux/amd64");
  EXPECT_EQ(file->stages[1].instructions[0].flag("from"), "build");
  EXPECT_EQ(file->stages[1].instructions[0].flag("chown"), "1000:1000");
  EXPECT_EQ(file->stages[1].instructions[0].text, "/a /b");
}

TEST(Dockerfile, LinesGoOnAndCommentsBetweenThemDoNotCount) {
  const auto file = parse("FROM a\nRUN one && \\\n  # a comment\n\n  two \\\n  && three\nRUN four\n");
  ASSERT_TRUE(file) << file.error().what();
  ASSERT_EQ(file->stages[0].instructions.size(), 2u);
  EXPECT_EQ(file->stages[0].instructions[0].text, "one &&   two   && three");
  EXPECT_EQ(file->stages[0].instructions[1].text, "four");
}

TEST(Dockerfile, TheEscapeCanBeAnother) {
  const auto file = parse("# escape=`\nFROM a\nRUN one `\n two\nRUN dir C:\\\n");
  ASSERT_TRUE(file) << file.error().what();
  EXPECT_EQ(file->stages[0].instructions[0].text, "one  two");
  EXPECT_EQ(file->stages[0].instructions[1].text, "dir C:\\");
}

TEST(Dockerfile, AListInJsonIsWords) {
  const auto file = parse("FROM a\nCMD [\"bash\", \"-l c\"]\nRUN [ -e /x ] && echo yes\nRUN [\"a\", 1]\n");
  ASSERT_TRUE(file) << file.error().what();
  EXPECT_EQ(file->stages[0].instructions[0].arguments, (std::vector<std::string>{"bash", "-l c"}));
  EXPECT_FALSE(file->stages[0].instructions[1].is_json);
  EXPECT_FALSE(file->stages[0].instructions[2].is_json);
}

TEST(Dockerfile, HasHeredocs) {
  const auto file =
      parse("FROM a\nRUN <<EOF\necho $A\n# no comment\nEOF\nCOPY <<-\"X\" <<Y /to/\n\tone\nX\ntwo\nY\nRUN echo a<<b\n");
  ASSERT_TRUE(file) << file.error().what();
  const auto& instructions = file->stages[0].instructions;
  ASSERT_EQ(instructions.size(), 3u);
  EXPECT_EQ(instructions[0].heredocs[0].content, "echo $A\n# no comment\n");
  EXPECT_TRUE(instructions[0].heredocs[0].expand);
  ASSERT_EQ(instructions[1].heredocs.size(), 2u);
  EXPECT_EQ(instructions[1].heredocs[0].content, "one\n");
  EXPECT_FALSE(instructions[1].heredocs[0].expand);
  EXPECT_EQ(instructions[1].heredocs[1].content, "two\n");
  EXPECT_TRUE(instructions[2].heredocs.empty());
}

TEST(Dockerfile, MistakesAreNamedWithTheirLine) {
  EXPECT_EQ(why(""), "there is no FROM in it");
  EXPECT_EQ(why("# only a comment\n"), "there is no FROM in it");
  EXPECT_EQ(why("RUN x\nFROM a\n"), "line 1: RUN before the first FROM");
  EXPECT_EQ(why("FROM a\n\nRAN x\n"), "line 3: unknown instruction RAN");
  EXPECT_EQ(why("FROM a\nRUN\n"), "line 2: RUN has no arguments");
  EXPECT_EQ(why("FROM a b\n"), "line 1: FROM takes an image, and AS with a name");
  EXPECT_EQ(why("FROM a\nRUN <<EOF\nx\n"), "line 2: <<EOF is not closed");
  EXPECT_EQ(why("# escape=x\nFROM a\n"), "line 1: escape is \\ or `");
}

TEST(Dockerfile, LinesMayEndAsOnWindows) {
  const auto file = parse("FROM a\r\nRUN one \\\r\n two\r\n");
  ASSERT_TRUE(file) << file.error().what();
  EXPECT_EQ(file->stages[0].instructions[0].text, "one  two");
}

}  // namespace
}  // namespace sbx::dockerfile
