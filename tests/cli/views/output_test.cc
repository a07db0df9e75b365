// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/output.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

TEST(Columns, AreAlignedByCharactersAndNotByBytes) {
  EXPECT_EQ(columns({{"A", "B"}, {"élan", "x"}, {"lang", "y"}}), "A      B\nélan   x\nlang   y\n");
}

TEST(Columns, NoLineEndsInBlanks) { EXPECT_EQ(columns({{"long one", ""}, {"x", ""}}), "long one\nx\n"); }

TEST(Columns, ControlCharactersAreEscaped) { EXPECT_EQ(columns({{"a\nb", "\x1b]0;x"}}), "a\\x0ab   \\x1b]0;x\n"); }

TEST(JsonLine, WhatSteersATerminalIsEscapedAndMeansTheSame) {
  const Json json = {{"path", "\x1b[2J\u009b\u202e\u2028\x7f"}, {"\u202e", "größe"}};
  EXPECT_EQ(json_line(json), R"({"path":"\u001b[2J\u009b\u202e\u2028\u007f","\u202e":"größe"})");
  EXPECT_EQ(*parse_json(json_line(json)), json);
  EXPECT_EQ(json_lines(Json{{"a", "\u202e"}}), "{\n  \"a\": \"\\u202e\"\n}");
}

TEST(PrintableTexts, EveryTextInAValueIsMadePrintable) {
  const Json json = {{"a", {"\x1b[2J", 1, {{"\u202e", "\u202e"}}}}, {"c", nullptr}};
  EXPECT_EQ(printable_texts(json), (Json{{"a", {"\\x1b[2J", 1, {{"\\u202e", "\\u202e"}}}}, {"c", nullptr}}));
}

TEST(Styled, APipeGetsNoColour) {
  const auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  EXPECT_EQ(styled(pipe->write, Style::kError, "error:"), "error:");
}

}  // namespace
}  // namespace sbx::cli
