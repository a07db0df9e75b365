// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace sbx {
namespace {

// What counts is the distance: a guest may go some way beyond its limit, a message of 253 descriptors from each of
// those of its processes that were not stopped in time.
TEST(DescriptorLimit, OfAGuestIsFarBelowOurs) {
  for (const std::uint64_t hard : {1024u, 4096u, 20'000u, 524'288u, 1'048'576u, 1'073'741'816u}) {
    const DescriptorLimits limits = guest_descriptor_limits(hard);
    EXPECT_LE(limits.hard, hard / 2) << hard;
    EXPECT_LE(limits.soft, limits.hard) << hard;
    EXPECT_GE(limits.soft, 512u) << hard;
  }
}

TEST(DescriptorLimit, OfOursIsAllThatWeMayHave) {
  raise_descriptor_limit();
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(limit.rlim_cur, limit.rlim_max);
  EXPECT_LT(guest_descriptor_limits().hard, limit.rlim_cur);
  lower_descriptor_limit();
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_LE(limit.rlim_cur, 4096u);
}

}  // namespace
}  // namespace sbx
