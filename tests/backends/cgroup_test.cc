// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/cgroup.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
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

TEST(Cgroups, AShimInItsGroupFindsTheSandboxesBesideIt) {
  const char* mounts = "32 30 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  const auto own_path = [&](const char* own) { return Cgroups::parse(mounts, own).hierarchies().front().own_path; };
  EXPECT_EQ(own_path("0::/user.slice/app.slice/sandboxd.service/sandboxd/5f0c-helpers\n"),
            "/user.slice/app.slice/sandboxd.service");
  EXPECT_EQ(own_path("0::/sandboxd/5f0c-helpers\n"), "/");
  EXPECT_EQ(own_path("0::/user.slice/app.slice/sandboxd.service\n"), "/user.slice/app.slice/sandboxd.service");
  EXPECT_EQ(own_path("0::/sandboxd/mine\n"), "/sandboxd/mine");
}

std::string text_of(const std::string& path) { return read_file(path).value_or("missing"); }

// A directory stands in for a unified hierarchy, which this host may not have. There the files come with the group.
TEST(Cgroups, HelpersOfAUnifiedHierarchyAreBounded) {
  if (::geteuid() != 0) GTEST_SKIP() << "an ordinary user's groups are elsewhere";
  const testing::TemporaryDirectory directory;
  const std::string group = directory / "sandboxd/5f0c-helpers";
  ASSERT_TRUE(make_directories(group));
  for (const std::string& file :
       {directory / "cgroup.subtree_control", directory / "sandboxd/cgroup.subtree_control", group + "/memory.max",
        group + "/pids.max", group + "/cpu.max", group + "/cgroup.procs"})
    ASSERT_TRUE(write_file(file, ""));
  const Cgroups cgroups =
      Cgroups::parse("32 30 0:28 / " + directory.path() + " rw - cgroup2 cgroup2 rw\n", "0::/elsewhere\n");
  ASSERT_TRUE(cgroups.enter_helpers("5f0c", {1.5, 1ll << 30, 100}));
  EXPECT_EQ(text_of(group + "/memory.max"), "1073741824");
  EXPECT_EQ(text_of(group + "/pids.max"), "100");
  EXPECT_EQ(text_of(group + "/cpu.max"), "150000 100000");
  EXPECT_EQ(text_of(group + "/cgroup.procs"), "0");
  for (const std::string& parent : {directory.path(), directory / "sandboxd"})
    EXPECT_TRUE(text_of(parent + "/cgroup.subtree_control").starts_with("+")) << parent;
}

TEST(Cgroups, WithoutAControllerNobodyIsMovedWhereNothingIsBounded) {
  if (::geteuid() != 0) GTEST_SKIP() << "an ordinary user's groups are elsewhere";
  const testing::TemporaryDirectory directory;
  const std::string group = directory / "sandboxd/5f0c-helpers";
  ASSERT_TRUE(make_directories(group));
  ASSERT_TRUE(write_file(group + "/cgroup.procs", ""));
  const Cgroups cgroups =
      Cgroups::parse("32 30 0:28 / " + directory.path() + " rw - cgroup2 cgroup2 rw\n", "0::/elsewhere\n");
  EXPECT_FALSE(cgroups.enter_helpers("5f0c", {0, 1ll << 30, 100}));
  EXPECT_EQ(text_of(group + "/cgroup.procs"), "");
}

// The real thing: a process enters, and one that it starts is born there.
TEST(Cgroups, HelpersOfThisHostAreBoundedAndGoWithTheSandbox) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs the right to make groups";
  const Cgroups cgroups = Cgroups::detect();
  const std::string id = "test-" + std::to_string(::getpid());
  const Pipe ready = *make_pipe();
  const pid_t helper = ::fork();
  if (helper == 0) {
    const bool entered = cgroups.enter_helpers(id, {1, 256 << 20, 10}).has_value();
    const pid_t started = ::fork();
    if (started == 0) {
      (void)!::write(ready.write.get(), entered ? "y" : "n", 1);
      ::pause();
    }
    ::pause();
  }
  char entered = 0;
  ASSERT_EQ(::read(ready.read.get(), &entered, 1), 1);
  EXPECT_EQ(entered, 'y');
  std::string pids;
  for (const Hierarchy& hierarchy : cgroups.hierarchies())
    if (hierarchy.controllers == "pids" || cgroups.version() == Cgroups::Version::kV2)
      pids = hierarchy.mount_point + "/sandboxd/" + id + "-helpers";
  EXPECT_EQ(text_of(pids + "/pids.max"), "10\n");
  EXPECT_EQ(text_of(pids + "/pids.current"), "2\n");
  EXPECT_TRUE(cgroups.remove(id));
  EXPECT_FALSE(exists(pids));
  int status = 0;
  EXPECT_EQ(::waitpid(helper, &status, 0), helper);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST(Cgroups, ThisHostHasThem) { EXPECT_NE(Cgroups::detect().version(), Cgroups::Version::kNone); }

}  // namespace
}  // namespace sbx::backends::oci
