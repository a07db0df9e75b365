// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/terminal_output.h"

#include <gtest/gtest.h>

namespace sbx::shim {
namespace {

std::string all(const TerminalOutput& output, std::uint64_t at) {
  std::string text;
  for (; at<output.end(); at = output.begin()> at ? output.end() : at) {
    const std::string_view some = output.from(at);
    EXPECT_FALSE(some.empty());
    text += some;
    at += some.size();
  }
  return text;
}

TEST(TerminalOutput, KeepsTheNewestAndTheirNumbers) {
  TerminalOutput output(10);
  output.append("abc");
  EXPECT_EQ(output.begin(), 0u);
  EXPECT_EQ(all(output, 1), "bc");
  output.append("defghijklm");
  EXPECT_EQ(output.begin(), 3u);
  EXPECT_EQ(output.end(), 13u);
  EXPECT_EQ(all(output, 3), "defghijklm");
  EXPECT_EQ(all(output, 12), "m");
  EXPECT_EQ(output.from(13), "");
}

TEST(TerminalOutput, IsTheSameInPiecesOfAnySize) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>('a' + i % 26);
  for (const std::size_t step : {1u, 3u, 7u, 64u, 65u, 200u, 1000u}) {
    TerminalOutput output(64);
    for (std::size_t at = 0; at < text.size(); at += step) {
      output.append(std::string_view(text).substr(at, step));
      ASSERT_LE(output.end() - output.begin(), 64u);
      ASSERT_EQ(all(output, output.begin()), text.substr(output.begin(), output.end() - output.begin())) << step;
    }
    EXPECT_EQ(output.begin(), text.size() - 64);
  }
}

TEST(TerminalOutput, BeginsAtALineUnlessAllIsThere) {
  TerminalOutput output(64);
  output.append("first line\nsecond line\nthird line\n");
  EXPECT_EQ(output.newest(1000).number, 0u);
  EXPECT_EQ(all(output, output.newest(15).number), "third line\n");
  TerminalOutput without(64);
  without.append(std::string(200, 'x'));
  EXPECT_EQ(all(without, without.newest(10).number), std::string(10, 'x'));
}

TEST(TerminalOutput, WhatTheForgottenPartSwitchedOnIsKnown) {
  TerminalOutput output(64);
  output.append("\033[?1049h\033[?25l");
  EXPECT_EQ(output.newest(1000).modes, "") << "it is still there to be shown";
  output.append("\033[?25h" + std::string(20, 'x') + "\n" + std::string(12, 'y'));
  EXPECT_EQ(output.newest(12).modes, "\033[?1049h");
  output.append(std::string(500, 'z') + "\n");
  EXPECT_EQ(output.newest(10).modes, "\033[?1049h");
  output.append("\033[?1049l");
  output.append(std::string(500, 'z'));
  EXPECT_EQ(output.newest(10).modes, "");
}

TEST(TerminalOutput, WhatHasEndedIsMadeSmallAndKeepsItsNumbers) {
  TerminalOutput output(1000);
  output.append("\033[?1049h" + std::string(1500, 'x') + "the end");
  const std::uint64_t end = output.end();
  output.keep(10);
  EXPECT_EQ(output.end(), end);
  EXPECT_EQ(all(output, output.begin()), "xxxthe end");
  EXPECT_EQ(output.newest(10).modes, "\033[?1049h");
}

}  // namespace
}  // namespace sbx::shim
