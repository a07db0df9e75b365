// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/terminal_text.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

std::string shown(std::string_view text) {
  TerminalText console;
  std::string out = console.shown(text);
  return out + console.rest();
}

TEST(TerminalText, LinesAndTabsStay) {
  EXPECT_EQ(shown("[    0.1] Linux\r\n\tversion\n"), "[    0.1] Linux\n\tversion\n");
}

TEST(TerminalText, NothingDrivesTheTerminal) {
  EXPECT_EQ(shown("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(shown("over\rwritten"), "over\\x0dwritten");
  EXPECT_EQ(shown("\x7f\b"), "\\x7f\\x08");
  EXPECT_EQ(shown("\xc2\x9b"
                  "2J"),
            "\\x9b2J")
      << "an escape sequence can begin with one character of eight bits";
  EXPECT_EQ(shown("\xc2\xc2\x9b"), "\\xc2\\x9b");
}

TEST(TerminalText, NothingReordersTheText) {
  EXPECT_EQ(shown("a\u202eb\u2066c\u200fd\u2028e"), "a\\u202eb\\u2066c\\u200fd\\u2028e");
}

TEST(TerminalText, ColoursAreLeftOutAndNothingElse) {
  EXPECT_EQ(shown("\x1b[1;31mred\x1b[0m and \x1b[mplain\x1b[38:5:1m"), "red and plain");
  for (const char* other : {"\x1b[31", "\x1b[3 m", "\x1b[?1m", "\x1b[>4m", "\x1b[2J", "\x1b]8;;x\x1b\\", "\x1b\x1b[m"})
    EXPECT_EQ(shown(other).substr(0, 4), "\\x1b") << other;
  EXPECT_EQ(shown("\x1b[" + std::string(100, '1') + "m"), "\\x1b[" + std::string(100, '1') + "m");
}

TEST(TerminalText, OtherCharactersAreShownAsTheyAre) { EXPECT_EQ(shown("\u00a0\u00fc\u20ac"), "\u00a0\u00fc\u20ac"); }

TEST(TerminalText, TheSizeOfThePiecesMakesNoDifference) {
  const std::string text = "a\r\nb\rc\xc2\x9b\xc2\xa0\n\x1b[0m\x1b[0K\u202e\U0001f469\xe2\x80\x1b[3\xc2\r";
  TerminalText console;
  std::string out;
  for (const char c : text) out += console.shown({&c, 1});
  EXPECT_EQ(out + console.rest(), shown(text));
}

}  // namespace
}  // namespace sbx::cli
