// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/inode_keeper.h"

#include <gtest/gtest.h>

namespace sbx::guest {
namespace {

constexpr const char* kSlabinfo =
    "slabinfo - version: 2.1\n"
    "# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables ...\n"
    "fuse_request           0      0    152   26    1 : tunables    0    0    0 : slabdata      0      0      0\n"
    "fuse_inode         12345  12350    832   39    8 : tunables    0    0    0 : slabdata    317    317      0\n"
    "ext4_inode_cache      30     60   1184   27    8 : tunables    0    0    0 : slabdata      3      3      0\n";

TEST(InodeKeeper, CountsWhatTheKernelRemembers) {
  EXPECT_EQ(shared_inodes_listed(kSlabinfo), 12345);
  EXPECT_EQ(shared_inodes_counted("12345 N0=12000 N1=345\n"), 12345);
  EXPECT_EQ(shared_inodes_counted("0\n"), 0);
}

TEST(InodeKeeper, KnowsNothingWhereTheKernelSaysNothing) {
  EXPECT_EQ(shared_inodes_listed(""), std::nullopt);
  EXPECT_EQ(shared_inodes_listed("ext4_inode_cache 30 60\n"), std::nullopt);
  EXPECT_EQ(shared_inodes_listed("fuse_inode\n"), std::nullopt);
  EXPECT_EQ(shared_inodes_counted(""), std::nullopt);
  EXPECT_EQ(shared_inodes_counted("\n"), std::nullopt);
}

}  // namespace
}  // namespace sbx::guest
