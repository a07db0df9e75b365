// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/cgroup.h"

#include <gtest/gtest.h>

namespace sbx::backends::oci {
namespace {

constexpr const char* kHybrid =
    "30 23 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
    "32 30 0:28 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
    "33 30 0:29 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,xattr,name=systemd\n"
    "34 30 0:30 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
constexpr const char* kHybridOwn = "4:memory:/a/b\n3:cpu,cpuacct:/\n1:name=systemd:/\n0::/\n";

TEST(Cgroups, VersionsAreToldApart) {
  EXPECT_EQ(Cgroups::parse("", "").version(), Cgroups::Version::kNone);
  EXPECT_EQ(Cgroups::parse(kHybrid, kHybridOwn).version(), Cgroups::Version::kHybrid);
  EXPECT_EQ(
      Cgroups::parse("32 30 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", "4:memory:/\n").version(),
      Cgroups::Version::kV1);
  EXPECT_EQ(Cgroups::parse("32 30 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "0::/user.slice\n").version(),
            Cgroups::Version::kV2);
}

TEST(Cgroups, EachHierarchyKnowsWhereWeAreInIt) {
  const Cgroups cgroups = Cgroups::parse(kHybrid, kHybridOwn);
  ASSERT_EQ(cgroups.hierarchies().size(), 4u);
  for (const Hierarchy& hierarchy : cgroups.hierarchies())
    if (hierarchy.controllers == "memory") {
      EXPECT_EQ(hierarchy.mount_point, "/sys/fs/cgroup/memory");
      EXPECT_EQ(hierarchy.own_path, "/a/b");
    }
}

TEST(Cgroups, ThisHostHasThem) { EXPECT_NE(Cgroups::detect().version(), Cgroups::Version::kNone); }

}  // namespace
}  // namespace sbx::backends::oci
