// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/disk_size.h"

#include <gtest/gtest.h>

#include "support/small_disk.h"
#include "support/temporary_directory.h"

namespace sbx::backends {
namespace {

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kGiB = 1 << 30;

TEST(DiskSize, ByDefaultLeavesTheHostAtLeastAsMuchAsItTakes) {
  const struct {
    std::int64_t free, bytes;
  } cases[] = {
      {1000 * kGiB, 64 * kGiB}, {128 * kGiB, 64 * kGiB}, {128 * kGiB - 1, 32 * kGiB}, {80 * kGiB, 32 * kGiB},
      {3 * kGiB, kGiB},         {2 * kGiB, kGiB},        {130 * kMiB, 64 * kMiB},     {128 * kMiB, 64 * kMiB},
  };
  for (const auto& [free, bytes] : cases) {
    const auto size = disk_size(0, {free, 2000 * kGiB});
    ASSERT_TRUE(size) << free;
    EXPECT_EQ(size->bytes, bytes) << free;
  }
}

TEST(DiskSize, ASmallDefaultIsSaidInOneLine) {
  EXPECT_EQ(disk_size(0, {32 * kGiB, 100 * kGiB})->note, "");
  EXPECT_EQ(disk_size(0, {2 * kGiB + kGiB / 2, 100 * kGiB})->note,
            "Its disk is bounded to 1 GB, because only 2.5 GB are free; --disk says otherwise.");
}

TEST(DiskSize, AHostWithoutRoomIsAnErrorThatSaysSo) {
  const auto refused = disk_size(0, {128 * kMiB - 1, 100 * kGiB});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kUnavailable);
  EXPECT_EQ(refused.error().what(),
            "No space left for a sandbox's disk: 127 MB are free, and it needs twice the smallest, 128 MB");
}

TEST(DiskSize, WhatIsAskedForIsGivenThoughOthersMayAlreadyHaveIt) {
  const auto fits = disk_size(5 * kGiB, {5 * kGiB, 100 * kGiB});
  ASSERT_TRUE(fits);
  EXPECT_EQ(fits->bytes, 5 * kGiB);
  EXPECT_EQ(fits->note, "");
  const auto tight = disk_size(5 * kGiB, {kGiB, 100 * kGiB});
  ASSERT_TRUE(tight);
  EXPECT_EQ(tight->bytes, 5 * kGiB);
  EXPECT_EQ(tight->note, "Its disk may hold 5 GB, but only 1 GB are free on the host now.");
}

TEST(DiskSize, WhatCanNeverBeHadOrUsedIsRefused) {
  for (const std::int64_t wanted : {100 * kGiB + 1, kSmallestDisk - 1, std::int64_t{1}}) {
    const auto refused = disk_size(wanted, {90 * kGiB, 100 * kGiB});
    ASSERT_FALSE(refused) << wanted;
    EXPECT_EQ(refused.error().code(), Code::kInvalid);
    EXPECT_NE(refused.error().what().find("--disk"), std::string::npos);
  }
}

TEST(DiskSize, AFileSystemThatDoesNotSayWhatItHasRefusesNothing) {
  EXPECT_EQ(disk_size(0, {0, 0})->bytes, kDefaultDisk);
  EXPECT_EQ(disk_size(1000 * kGiB, {0, 0})->bytes, 1000 * kGiB);
}

TEST(DiskSize, TheRoomIsThatOfTheDirectorysFileSystem) {
  testing::TemporaryDirectory directory;
  const testing::SmallDisk small(directory.path(), 8 * kMiB);
  if (!small.mounted()) GTEST_SKIP() << "only root can mount a small file system";
  const auto room = room_in(directory.path());
  ASSERT_TRUE(room);
  EXPECT_EQ(room->total, 8 * kMiB);
  EXPECT_LE(room->free, 8 * kMiB);
  EXPECT_FALSE(room_in(directory / "none"));
}

}  // namespace
}  // namespace sbx::backends
