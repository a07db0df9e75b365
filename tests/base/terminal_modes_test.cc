// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/terminal_modes.h"

#include <gtest/gtest.h>

namespace sbx {
namespace {

TerminalModes after(std::string_view output) {
  TerminalModes modes;
  modes.feed(output);
  return modes;
}

TEST(TerminalModes, NothingIsToBeDoneAfterTextAndColours) {
  const TerminalModes modes = after("a line\r\n\033[31mred\033[0m\033[2J\033[H\033]0;title\007");
  EXPECT_EQ(modes.to_set(), "");
  EXPECT_EQ(modes.to_reset(), "");
}

TEST(TerminalModes, AFullScreenProgramIsOnTheOtherScreenAndLeavesIt) {
  const TerminalModes modes = after("\033[?1049h\033[?1h\033=\033[?25l\033[?1000;1006h\033[?2004h");
  EXPECT_EQ(modes.to_set(), "\033[?1049h\033[?1h\033[?25l\033[?1000h\033[?1006h\033[?2004h\033=");
  EXPECT_EQ(modes.to_reset(), "\033>\033[?2004l\033[?1006l\033[?1000l\033[?25h\033[?1l\033[?1049l");
}

TEST(TerminalModes, WhatIsSwitchedBackIsForgotten) {
  EXPECT_EQ(after("\033[?1049h\033[?25l\033[?25h\033[?1049l\033=\033>\033(0\033(B").to_set(), "");
  EXPECT_EQ(after("\033[?1049h\033[?25l\033[>1u\033[5;10r\033c").to_set(), "") << "a reset of the whole terminal";
  EXPECT_EQ(after("\033[?1049h\033[?25l\033=\033[!p").to_set(), "\033[?1049h") << "a soft reset keeps the screen";
}

TEST(TerminalModes, KeyboardProtocolsArePushedAndPopped) {
  EXPECT_EQ(after("\033[>1u").to_set(), "\033[>1u");
  EXPECT_EQ(after("\033[>1u\033[>5u").to_reset(), "\033[<2u");
  EXPECT_EQ(after("\033[>1u\033[<u").to_set(), "");
  EXPECT_EQ(after("\033[>4;2m").to_set(), "\033[>4;2m");
  EXPECT_EQ(after("\033[>4;2m").to_reset(), "\033[>4m");
  EXPECT_EQ(after("\033[?u").to_set(), "") << "that is a question";
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "\033[>1u";
  EXPECT_EQ(after(many).to_reset(), "\033[<16u");
}

TEST(TerminalModes, TheScrollingRegionAndTheCursorsStyleAreKnown) {
  EXPECT_EQ(after("\033[2;20r\033[6 q").to_set(), "\033[6 q\033[2;20r");
  EXPECT_EQ(after("\033[2;20r\033[6 q").to_reset(), "\033[0 q\0337\033[r\0338");
  EXPECT_EQ(after("\033[2;20r\033[r").to_set(), "");
}

TEST(TerminalModes, WhatComesOutSetsWhatWentIn) {
  const std::string set = after("\033[?7l\033[?1049;1003;1004h\033[3 q\033[>7u\033[4r").to_set();
  EXPECT_EQ(after(set).to_set(), set);
  EXPECT_EQ(after(set + after(set).to_reset()).to_set(), "");
}

TEST(TerminalModes, ASequenceMayComeInPieces) {
  TerminalModes modes;
  for (const char c : std::string_view("text \033[?1049h more")) modes.feed({&c, 1});
  EXPECT_EQ(modes.to_set(), "\033[?1049h");
}

}  // namespace
}  // namespace sbx
