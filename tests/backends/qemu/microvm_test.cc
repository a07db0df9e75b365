// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/microvm.h"

#include <gtest/gtest.h>

#include "backends/disk_image.h"

namespace sbx::backends::qemu {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

TEST(MicroVm, GivesWhatWasNotAskedFor) {
  const auto limits = make_microvm({})->effective({});
  ASSERT_TRUE(limits);
  EXPECT_GE(limits->cpus, 1);
  EXPECT_GE(limits->memory, 128 * kMiB);
  EXPECT_LE(limits->memory, 8192 * kMiB);
  EXPECT_EQ(limits->disk, kDefaultDisk);
}

TEST(MicroVm, HasWholeProcessors) {
  wire::Limits wanted;
  wanted.cpus = 0.5;
  const auto limits = make_microvm({})->effective(wanted);
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->cpus, 1);
}

TEST(MicroVm, RefusesWhatNoKernelLivesWith) {
  wire::Limits wanted;
  wanted.memory = 64 * kMiB;
  const auto limits = make_microvm({})->effective(wanted);
  ASSERT_FALSE(limits);
  EXPECT_NE(limits.error().what().find("--memory"), std::string::npos);
}

TEST(MicroVm, RefusesMoreProcessorsThanThereAre) {
  wire::Limits wanted;
  wanted.cpus = 100000;
  EXPECT_FALSE(make_microvm({})->effective(wanted));
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
