// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "idmap/idmap.h"

#include <gtest/gtest.h>

namespace sbx::idmap {
namespace {

std::string text(const std::vector<Range>& ranges) {
  std::string out;
  for (const auto& range : ranges)
    out += std::to_string(range.inside) + ">" + std::to_string(range.outside) + "*" + std::to_string(range.count) + " ";
  return out;
}

TEST(IdMap, OfRootsGuestIsOneRange) {
  const IdMap map = privileged_map(2'000'000);
  EXPECT_EQ(text(map.uids), "0>2000000*65536 ");
  EXPECT_EQ(text(map.gids), "0>2000000*65536 ");
}

TEST(IdMap, TheAgentMayBeSomebodyOfTheHosts) {
  const IdMap map = privileged_map(2'000'000, {4242, 4243});
  EXPECT_EQ(text(map.uids), "0>2000000*1000 1000>4242*1 1001>2001001*64535 ");
  EXPECT_EQ(text(map.gids), "0>2000000*1000 1000>4243*1 1001>2001001*64535 ");
}

TEST(IdMap, TheAgentIsNeverTheHostsRoot) {
  const IdMap map = privileged_map(2'000'000, {0, 4243});
  EXPECT_EQ(text(map.uids), "0>2000000*65536 ");
}

}  // namespace
}  // namespace sbx::idmap
