// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/words.h"

#include <gtest/gtest.h>

namespace sbx {
namespace {

TEST(Words, AreWhatStandsBetweenBlanks) {
  EXPECT_EQ(words_of(" 127.0.0.1\t localhost  box\n"), (std::vector<std::string>{"127.0.0.1", "localhost", "box"}));
  EXPECT_EQ(words_of("one"), std::vector<std::string>{"one"});
  EXPECT_TRUE(words_of(" \t\r\n\v\f").empty());
  EXPECT_TRUE(words_of("").empty());
}

}  // namespace
}  // namespace sbx
