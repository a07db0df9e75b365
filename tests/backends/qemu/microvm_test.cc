// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/microvm.h"

#include <gtest/gtest.h>

#include "backends/disk_size.h"
#include "backends/qemu/machine/memory.h"

namespace sbx::backends::qemu {
namespace {

TEST(MicroVm, GivesWhatWasNotAskedFor) {
  const auto grant = make_microvm({})->grant({}, "/tmp");
  ASSERT_TRUE(grant);
  EXPECT_GE(grant->limits.cpus, 1);
  EXPECT_GE(grant->limits.memory, 128 * kMiB);
  EXPECT_LE(grant->limits.memory, 8192 * kMiB);
  EXPECT_EQ(grant->limits.disk, disk_size(0, *room_in("/tmp"))->bytes);
  EXPECT_EQ(grant->limits.disk_bound, wire::DiskBound::kVirtualDisk);
}

TEST(MicroVm, HasWholeProcessors) {
  wire::Limits wanted;
  wanted.cpus = 0.5;
  const auto grant = make_microvm({})->grant(wanted, "/tmp");
  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->limits.cpus, 1);
}

TEST(MicroVm, RefusesWhatNoKernelLivesWith) {
  wire::Limits wanted;
  wanted.memory = 64 * kMiB;
  const auto grant = make_microvm({})->grant(wanted, "/tmp");
  ASSERT_FALSE(grant);
  EXPECT_NE(grant.error().what().find("--memory"), std::string::npos);
}

TEST(MicroVm, RefusesMoreProcessorsThanThereAre) {
  wire::Limits wanted;
  wanted.cpus = 100000;
  EXPECT_FALSE(make_microvm({})->grant(wanted, "/tmp"));
}

TEST(MicroVm, NamesWhatTheGuestHasToMount) {
  MachineSpec spec;
  spec.mounts = {{"/home/ada/project", "/home/ada/project", false}, {"/home/ada/.gitconfig", "/etc/gitconfig", true}};
  const auto mounts = make_microvm({})->guest_mounts(spec);
  ASSERT_EQ(mounts.size(), 3u);
  EXPECT_EQ(mounts[0].tag, "modules");
  EXPECT_TRUE(mounts[0].readonly);
  EXPECT_EQ(mounts[2].tag, "m1");
  EXPECT_EQ(mounts[2].target, "/etc/gitconfig");
  EXPECT_TRUE(mounts[2].readonly);
}

}  // namespace
}  // namespace sbx::backends::qemu
