// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/variables.h"

#include <gtest/gtest.h>

namespace sbx::api {
namespace {

constexpr std::string_view kPattern = "/sandboxes/{name}/sessions/{session}";

TEST(Variables, EachHasItsOwnSegment) {
  const auto found = Variables::match(kPattern, {"sandboxes", "box", "sessions", "7"});
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)["name"], "box");
  EXPECT_EQ((*found)["session"], "7");
}

TEST(Variables, OnlyAPathOfThePatternMatches) {
  EXPECT_FALSE(Variables::match(kPattern, {"sandboxes", "box", "sessions"}));
  EXPECT_FALSE(Variables::match(kPattern, {"sandboxes", "box", "sessions", "7", "x"}));
  EXPECT_FALSE(Variables::match(kPattern, {"sandboxes", "box", "snapshots", "7"}));
  EXPECT_TRUE(Variables::match("/version", {"version"}));
}

TEST(Variables, StandForNoEmptySegment) {
  EXPECT_FALSE(Variables::match(kPattern, {"sandboxes", "", "sessions", "7"}));
  EXPECT_FALSE(Variables::match(kPattern, {"sandboxes", "box", "sessions", ""}));
}

// A path that spells a variable as the pattern does is a value like any other.
TEST(Variables, AreValuesWhateverTheySay) {
  const auto found = Variables::match(kPattern, {"sandboxes", "{session}", "sessions", "{name}"});
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)["name"], "{session}");
  EXPECT_EQ((*found)["session"], "{name}");
  EXPECT_FALSE(Variables::match(kPattern, {"{name}", "box", "sessions", "7"}));
}

TEST(VariablesDeathTest, OnesThatAPatternHasNotAreAMistakeOfOurs) {
  const auto found = Variables::match("/sandboxes/{name}", {"sandboxes", "box"});
  ASSERT_TRUE(found);
  EXPECT_DEATH((void)(*found)["session"], "");
}

}  // namespace
}  // namespace sbx::api
