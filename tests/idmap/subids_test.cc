// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "idmap/subids.h"

#include <gtest/gtest.h>

namespace sbx::idmap {
namespace {

using Ranges = std::vector<SubRange>;

TEST(SubordinateIds, AreFoundByNameAndByNumber) {
  const char* file = "root:1:10\nada:100000:65536\n4242:300000:10\nadam:5:5\n";
  EXPECT_EQ(parse_subordinate_ids(file, "ada", 1000), (Ranges{{100000, 65536}}));
  EXPECT_EQ(parse_subordinate_ids(file, "ada", 4242), (Ranges{{100000, 65536}, {300000, 10}}));
  EXPECT_EQ(parse_subordinate_ids(file, "eve", 7), Ranges{});
}

TEST(SubordinateIds, GarbageIsPassedOver) {
  for (const char* line : {"ada", "ada:x:10", "ada:1:0", "ada:-5:10", "ada:4294967295:10", "ada:1:2:3", "ada:0:10"})
    EXPECT_EQ(parse_subordinate_ids(line, "ada", 1000), Ranges{}) << line;
}

// Where a guest id lands on the host.
std::uint32_t outside(const std::vector<Range>& map, std::uint32_t inside) {
  for (const Range& range : map)
    if (inside >= range.inside && inside < range.inside + range.count) return range.outside + (inside - range.inside);
  return 0;
}

TEST(RootlessMap, AgentIsTheCallerAndEveryOtherIdIsSubordinate) {
  const auto map = map_around_agent({{100000, 65536}}, 4242);
  ASSERT_TRUE(map);
  EXPECT_EQ(outside(*map, 0), 100000u);
  EXPECT_EQ(outside(*map, 999), 100999u);
  EXPECT_EQ(outside(*map, 1000), 4242u);
  EXPECT_EQ(outside(*map, 1001), 101000u);
  EXPECT_EQ(outside(*map, 65535), 165534u);
}

TEST(RootlessMap, SeveralRangesAreJoined) {
  const auto map = map_around_agent({{100000, 500}, {200000, 70000}}, 1000);
  ASSERT_TRUE(map);
  EXPECT_EQ(outside(*map, 499), 100499u);
  EXPECT_EQ(outside(*map, 500), 200000u);
  EXPECT_EQ(outside(*map, 65535), 200000u + 65534 - 500);
}

TEST(RootlessMap, NoHostIdIsUsedTwice) {
  const auto map = map_around_agent({{100000, 65535}}, 1000);
  ASSERT_TRUE(map);
  std::vector<bool> used(200000);
  for (std::uint32_t id = 0; id < kGuestIds; ++id) {
    ASSERT_FALSE(used[outside(*map, id)]) << id;
    used[outside(*map, id)] = true;
  }
}

TEST(RootlessMap, TooFewIdsAreRefused) { EXPECT_FALSE(map_around_agent({{100000, 65534}}, 1000)); }

}  // namespace
}  // namespace sbx::idmap
