// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/console_text.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

std::string shown(std::string_view text) {
  ConsoleText console;
  std::string out = console.shown(text);
  return out + console.rest();
}

TEST(ConsoleText, LinesAndTabsStay) {
  EXPECT_EQ(shown("[    0.1] Linux\r\n\tversion\n"), "[    0.1] Linux\n\tversion\n");
}

TEST(ConsoleText, NothingDrivesTheTerminal) {
  EXPECT_EQ(shown("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(shown("over\rwritten"), "over\\x0dwritten");
  EXPECT_EQ(shown("\x7f\b"), "\\x7f\\x08");
  EXPECT_EQ(shown("\xc2\x9b"
                  "2J"),
            "\\x9b2J")
      << "an escape sequence can begin with one character of eight bits";
  EXPECT_EQ(shown("\xc2\xc2\x9b"), "\xc2\\x9b");
}

TEST(ConsoleText, OtherCharactersAreShownAsTheyAre) { EXPECT_EQ(shown("\u00a0\u00fc\u20ac"), "\u00a0\u00fc\u20ac"); }

TEST(ConsoleText, TheSizeOfThePiecesMakesNoDifference) {
  const std::string text = "a\r\nb\rc\xc2\x9b\xc2\xa0\n\x1b[0m\xc2\r";
  ConsoleText console;
  std::string out;
  for (const char c : text) out += console.shown({&c, 1});
  EXPECT_EQ(out + console.rest(), shown(text));
}

}  // namespace
}  // namespace sbx::cli
