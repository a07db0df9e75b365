// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/name_table.h"

#include <gtest/gtest.h>

#include <set>

namespace sbx::guest {
namespace {

TEST(NameTable, ANameKeepsItsAddress) {
  NameTable names;
  const Ipv4 first = names.address_of("a.example");
  EXPECT_TRUE(is_name_address(first));
  EXPECT_NE(names.address_of("b.example"), first);
  EXPECT_EQ(names.address_of("a.example"), first);
  EXPECT_EQ(names.name_of(first), "a.example");
}

TEST(NameTable, TheHostHasAFixedAddressAndNobodyElseGetsIt) {
  NameTable names(1'000);
  EXPECT_EQ(names.address_of("host.docker.internal"), kHostAddress);
  EXPECT_EQ(names.name_of(kHostAddress), "host.docker.internal");
  for (int i = 0; i < 300'000; ++i) {
    const Ipv4 address = names.address_of("n" + std::to_string(i));
    ASSERT_TRUE(address >= kFirstName && address <= kLastName) << i;
  }
}

TEST(NameTable, TheOneNotAskedForTheLongestIsForgotten) {
  NameTable names(3);
  const Ipv4 a = names.address_of("a");
  const Ipv4 b = names.address_of("b");
  const Ipv4 c = names.address_of("c");
  names.address_of("a");
  EXPECT_EQ(names.name_of(b), "b") << "a connection counts as asking";
  names.address_of("d");
  EXPECT_EQ(names.name_of(c), std::nullopt);
  EXPECT_EQ(names.name_of(a), "a");
  EXPECT_EQ(names.size(), 3u);
}

TEST(NameTable, AnAddressIsGivenAgainAsLateAsPossible) {
  NameTable names(10);
  std::set<Ipv4> given;
  for (Ipv4 i = 0; i <= kLastName - kFirstName; ++i)
    EXPECT_TRUE(given.insert(names.address_of("n" + std::to_string(i))).second) << i;
}

TEST(NameTable, HoldsNoMoreThanItsLimitAndNoAddressTwice) {
  NameTable names;
  for (int i = 0; i < 1'000'000; ++i) names.address_of("name-" + std::to_string(i));
  EXPECT_EQ(names.size(), NameTable::kMost);
  std::set<Ipv4> addresses;
  for (int i = 1'000'000 - static_cast<int>(NameTable::kMost); i < 1'000'000; ++i)
    addresses.insert(names.address_of("name-" + std::to_string(i)));
  EXPECT_EQ(addresses.size(), NameTable::kMost);
}

}  // namespace
}  // namespace sbx::guest
