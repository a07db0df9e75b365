// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/replay_filter.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

std::string replayed(std::string_view bytes) { return ReplayFilter().shown(bytes); }

TEST(ReplayFilter, WhatIsDrawnStays) {
  const std::string drawn =
      "text\r\n\033[31mred\033[0m\033[2J\033[10;20H\033[?1049h\033[?25l\033(0lqk\033(B\033]0;title\033\\\033["
      "K\0337\0338"
      "\033[1;24r\033[>1u\033[>4;2m\033[2 q\033]8;;http://example.com\033\\link\033]8;;\033\\\033[22;0t\033[8;24;80t";
  EXPECT_EQ(replayed(drawn), drawn);
}

TEST(ReplayFilter, QuestionsAreNotAskedAgain) {
  for (const char* question : {"\033[c",          "\033[>c",
                               "\033[=0c",        "\033[6n",
                               "\033[?6n",        "\033[5n",
                               "\033[?2026$p",    "\033[>0q",
                               "\033[?u",         "\033[18t",
                               "\033[14;2t",      "\033Z",
                               "\033]11;?\033\\", "\033]10;?\007",
                               "\033]4;1;?\007",  "\033P+q544e\033\\",
                               "\033P$qm\033\\",  "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\",
                               "\033[?1;1;0S",    "\005"})
    EXPECT_EQ(replayed("a" + std::string(question) + "b"), "ab") << question + 1;
}

TEST(ReplayFilter, WhatActsOutsideTheScreenDoesNotActAgain) {
  EXPECT_EQ(replayed("\007a\033]52;c;c2VjcmV0\007b\033]9;done\007c\033]777;notify;x;y\033\\d"), "abcd");
}

TEST(ReplayFilter, PiecesOfAnySizeAreTheSame) {
  const std::string text = "a\033[6nb\033]11;?\033\\\033[1mc\007";
  ReplayFilter filter;
  std::string all;
  for (const char c : text) all += filter.shown({&c, 1});
  EXPECT_EQ(all, "ab\033[1mc");
  EXPECT_EQ(filter.rest(), "");
  EXPECT_EQ(filter.shown("x\033[3"), "x");
  EXPECT_EQ(filter.rest(), "\033[3") << "the rest of it is new, and it is shown";
}

}  // namespace
}  // namespace sbx::cli
