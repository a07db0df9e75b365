// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "dockerfile/words.h"

#include <gtest/gtest.h>

namespace sbx::dockerfile {
namespace {

const Scope kScope{{"A", "1"}, {"EMPTY", ""}, {"SPACE", "a b"}};

std::string expanded(std::string_view text) {
  const auto result = expand(text, kScope, '\\');
  return result ? *result : "error: " + result.error().what();
}

TEST(Words, ReplaceVariables) {
  EXPECT_EQ(expanded("$A-${A}b"), "1-1b");
  EXPECT_EQ(expanded("$AB"), "");
  EXPECT_EQ(expanded("\\$A"), "$A");
  EXPECT_EQ(expanded("'$A'"), "$A");
  EXPECT_EQ(expanded("\"$A \\\"x\\\"\""), "1 \"x\"");
  EXPECT_EQ(expanded("100$"), "100$");
}

TEST(Words, KnowDefaults) {
  EXPECT_EQ(expanded("${NONE:-x}${A:-y}"), "x1");
  EXPECT_EQ(expanded("${EMPTY:-x}${EMPTY-y}"), "x");
  EXPECT_EQ(expanded("${A:+x}${NONE:+y}${EMPTY+z}${EMPTY:+w}"), "xz");
  EXPECT_EQ(expanded("${NONE:-${A}}"), "1");
}

TEST(Words, AreRefusedWhereTheyAreNotClosed) {
  for (const char* text : {"'a", "\"a", "${A", "${A:-b", "${}", "${A:?x}"})
    EXPECT_TRUE(expanded(text).starts_with("error: ")) << text;
}

TEST(Words, AreSplitAtSpacesThatAreNotInQuotes) {
  EXPECT_EQ(*expand_words(" a 'b c'  d\\ e $SPACE \"\" ", kScope, '\\'),
            (std::vector<std::string>{"a", "b c", "d e", "a b", ""}));
}

TEST(Words, ComeInPairs) {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(*expand_pairs("A=1 B='two words' C=$A", kScope, '\\'), (Pairs{{"A", "1"}, {"B", "two words"}, {"C", "1"}}));
  EXPECT_EQ(*expand_pairs("OLD the rest of it", kScope, '\\'), (Pairs{{"OLD", "the rest of it"}}));
  EXPECT_EQ(*expand_pairs("NAME", kScope, '\\'), (Pairs{{"NAME", ""}}));
  EXPECT_FALSE(expand_pairs("A=1 B", kScope, '\\'));
  EXPECT_FALSE(expand_pairs("A=1 =2", kScope, '\\'));
}

// A Dockerfile may be a stranger's: neither the stack nor the memory of its reader is.
TEST(Words, WhatIsNestedOrGrowsWithoutEndIsRefused) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "${A:-";
  EXPECT_EQ(expand(deep, {}, '\\').error().code(), Code::kInvalid);
  EXPECT_EQ(*expand("${A:-${B:-${C:-x}}}", {}, '\\'), "x");
  const Scope scope{{"A", std::string(200u << 10, 'a')}};
  EXPECT_EQ(expand("$A", scope, '\\')->size(), 200u << 10);
  EXPECT_EQ(expand("$A$A", scope, '\\').error().code(), Code::kTooLarge);
  EXPECT_EQ(expand("\"${A}${A}\"", scope, '\\').error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace sbx::dockerfile
