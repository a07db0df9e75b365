// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "idmap/bases.h"

#include <gtest/gtest.h>

#include "idmap/idmap.h"

namespace sbx::idmap {
namespace {

TEST(Bases, AreAStepApartAboveTheHostsOwnIds) {
  EXPECT_TRUE(is_base(kFirstBase));
  EXPECT_TRUE(is_base(kFirstBase + 7 * kBaseStep));
  for (const std::uint32_t other :
       {0u, 1u, 1000u, 65536u, 100'000u, kFirstBase - kBaseStep, kFirstBase + 1, kFirstBase + kGuestIds, UINT32_MAX})
    EXPECT_FALSE(is_base(other)) << other;
}

TEST(Bases, TheLastRangeEndsBeforeTheNumbersDo) {
  EXPECT_TRUE(is_base(kLastBase));
  EXPECT_FALSE(is_base(kLastBase + kBaseStep));
  EXPECT_LT(kLastBase, kLastBase + kBaseStep) << "no overflow";
  EXPECT_LT(kGuestIds, kBaseStep) << "there is room behind a guest's ids";
}

}  // namespace
}  // namespace sbx::idmap
