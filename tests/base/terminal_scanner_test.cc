// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/terminal_scanner.h"

#include <gtest/gtest.h>

#include <vector>

namespace sbx {
namespace {

using Pieces = std::vector<std::string>;

// Sequences in <>, text as it is; text that comes in several pieces is one.
std::string scanned(const Pieces& pieces, TerminalScanner& scanner) {
  std::string all;
  for (const std::string& bytes : pieces) {
    scanner.feed(bytes);
    while (const auto piece = scanner.next())
      all += piece->is_sequence ? "<" + std::string(piece->bytes.substr(1)) + ">" : std::string(piece->bytes);
  }
  return all;
}
std::string scanned(const Pieces& pieces) {
  TerminalScanner scanner;
  return scanned(pieces, scanner);
}

TEST(TerminalScanner, TextAndSequencesComeApart) {
  EXPECT_EQ(scanned({"a\033[31mb\033[?1049h\033(0c\033c"}), "a<[31m>b<[?1049h><(0>c<c>");
  EXPECT_EQ(scanned({"\033]0;title\007x\033]11;?\033\\y"}), "<]0;title\007>x<]11;?\033\\>y");
  EXPECT_EQ(scanned({"\033P+q544e\033\\z"}), "<P+q544e\033\\>z");
}

TEST(TerminalScanner, WhereThePiecesEndMakesNoDifference) {
  const std::string text = "a\033[31;1mb\033]8;;http://x\033\\link\033]8;;\007\033Pq\033\\\033(B\n";
  Pieces bytes;
  for (const char c : text) bytes.emplace_back(1, c);
  EXPECT_EQ(scanned(bytes), scanned({text}));
}

TEST(TerminalScanner, WhatIsCutOffIsHeld) {
  TerminalScanner scanner;
  EXPECT_EQ(scanned({"x\033[3"}, scanner), "x");
  EXPECT_EQ(scanner.held(), "\033[3");
  EXPECT_EQ(scanned({"1m"}, scanner), "<[31m>");
  EXPECT_EQ(scanner.held(), "");
}

TEST(TerminalScanner, ABrokenSequenceIsTextUpToWhereItBreaks) {
  EXPECT_EQ(scanned({"\033[3\n1m\033[32m"}), "\033[3\n1m<[32m>");
  EXPECT_EQ(scanned({"\033]0;ti\033[1m"}), "\033]0;ti<[1m>");
  EXPECT_EQ(scanned({"\033\033[1m"}), "\033<[1m>");
}

TEST(TerminalScanner, ALongSequenceIsTextAndNothingIsLost) {
  const std::string image = "\033]1337;" + std::string(100'000, 'i') + "\007";
  TerminalScanner scanner;
  std::string all;
  for (std::size_t at = 0; at < image.size(); at += 1000) all += scanned({image.substr(at, 1000)}, scanner);
  EXPECT_EQ(all, image);
  EXPECT_LE(scanner.held().size(), TerminalScanner::kLongest);
}

TEST(ControlSequence, HasAPrefixParametersAnIntermediateAndAnEnd) {
  const auto parsed = ControlSequence::parse("\033[?25;;1049$p");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->prefix, '?');
  ASSERT_EQ(parsed->count, 3u);
  EXPECT_EQ(parsed->parameters[0], 25);
  EXPECT_EQ(parsed->parameters[1], 0);
  EXPECT_EQ(parsed->parameters[2], 1049);
  EXPECT_EQ(parsed->intermediate, '$');
  EXPECT_EQ(parsed->final, 'p');
  EXPECT_EQ(ControlSequence::parse("\033[c")->count, 0u);
}

TEST(ControlSequence, WhatNoTerminalReadsIsNone) {
  EXPECT_FALSE(ControlSequence::parse("\033]0;x\007"));
  EXPECT_FALSE(ControlSequence::parse("\033c"));
  EXPECT_FALSE(ControlSequence::parse("\033[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17h"));
  EXPECT_FALSE(ControlSequence::parse("\033[1?2h"));
  EXPECT_EQ(ControlSequence::parse("\033[99999999999999999999h")->parameters[0], 65535);
}

}  // namespace
}  // namespace sbx
