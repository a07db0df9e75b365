// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/cgroup.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

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

// A directory stands in for a hierarchy, because a mistake here would end every sandbox of the host.
Cgroups only_hierarchy_in(const testing::TemporaryDirectory& directory) {
  return Cgroups::parse("32 30 0:28 / " + directory.path() + " rw,relatime - cgroup cgroup rw,memory\n",
                        "4:memory:/\n");
}

TEST(Cgroups, OneWithoutAnIdHasNoneAndTakesNobodysAlong) {
  const testing::TemporaryDirectory directory;
  const std::string others = directory / "sandboxd/others";
  ASSERT_TRUE(make_directories(others));
  const pid_t member = ::fork();
  if (member == 0) ::pause();
  ASSERT_TRUE(write_file(others + "/cgroup.procs", std::to_string(member) + "\n"));
  EXPECT_TRUE(only_hierarchy_in(directory).remove(""));
  EXPECT_EQ(::waitpid(member, nullptr, WNOHANG), 0) << "it was killed";
  ::kill(member, SIGKILL);
  ::waitpid(member, nullptr, 0);
}

// Somebody who starts just then makes his group in it.
TEST(Cgroups, TheParentOfAllStaysWhenTheLastOneGoes) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(make_directories(directory / "sandboxd/last/nested"));
  EXPECT_TRUE(only_hierarchy_in(directory).remove("last"));
  EXPECT_FALSE(exists(directory / "sandboxd/last"));
  EXPECT_TRUE(exists(directory / "sandboxd"));
}

TEST(Cgroups, ThisHostHasThem) { EXPECT_NE(Cgroups::detect().version(), Cgroups::Version::kNone); }

}  // namespace
}  // namespace sbx::backends::oci
