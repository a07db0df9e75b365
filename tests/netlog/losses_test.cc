// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/losses.h"

#include "base/value.h"
#include "log.h"

namespace sbx::netlog {
namespace {

TEST(Losses, AreCountedWithTheTimesBetweenWhichTheyWere) {
  Losses losses;
  EXPECT_FALSE(losses);
  losses.add({2, 30, 40});
  losses.add({0, 1, 99});
  losses.add({1, 20, 35});
  EXPECT_EQ(losses, (Losses{3, 20, 40}));
}

TEST(Losses, AreDecisionsAndNotTheEndsOfWhatWasDecided) {
  Record end = testing::allowed(2, "example.com");
  end.duration_us = 0;
  Losses losses;
  losses.add(std::vector{testing::allowed(1, "example.com"), end, testing::blocked(3, "example.com")});
  EXPECT_EQ(losses, (Losses{2, 1000, 3000}));
}

// A shim that was taken over says how many.
TEST(Losses, OfAnyNumberDoNotOverflow) {
  Losses losses;
  for (int i = 0; i < 3; ++i) losses.add({INT64_MAX, INT64_MIN, INT64_MAX});
  EXPECT_EQ(losses.count, Losses::kMost);
  losses.add(Losses{INT64_MIN, 0, 0});
  EXPECT_EQ(losses.count, Losses::kMost);
}

TEST(Losses, SurviveTheirWayAsJson) {
  const Losses losses{3, 20, 40};
  EXPECT_EQ(*value_of<Losses>(json_of(losses), "losses"), losses);
  EXPECT_FALSE(value_of<Losses>({{"count", -1}}, "losses"));
  EXPECT_FALSE(value_of<Losses>({{"count", "many"}}, "losses"));
  EXPECT_FALSE(value_of<Losses>(Json::array(), "losses"));
}

}  // namespace
}  // namespace sbx::netlog
