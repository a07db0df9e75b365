// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/cgroup.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>

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

constexpr const char* kManager = "/user.slice/user-1000.slice/user@1000.service";

std::string delegated_from(const std::string& own) {
  const auto cgroups = Cgroups::parse("32 30 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "0::" + own + "\n");
  return cgroups.hierarchies().front().delegated;
}

TEST(Cgroups, EverythingThatTheUsersSystemdStartedFindsTheUnitOfTheSandboxes) {
  const std::string manager = kManager;
  const std::string unit = manager + "/app.slice/sandboxd-sandboxes.service";
  EXPECT_EQ(delegated_from(manager + "/app.slice/sandboxd.service"), unit);
  EXPECT_EQ(delegated_from(manager + "/app.slice/app-terminal.slice/vte-spawn-5.scope"), unit);
  EXPECT_EQ(delegated_from(manager + "/app.slice/sandboxd-sandboxes.service/sandboxd/5f0c-helpers"), unit) << "a shim";
}

// The kernel lets no ordinary user move a process from there to below the user's systemd.
TEST(Cgroups, OutsideOfTheUsersSystemdNothingIsDelegated) {
  EXPECT_EQ(delegated_from("/user.slice/user-1000.slice/session-3.scope"), "");
  EXPECT_EQ(delegated_from("/system.slice/cron.service"), "");
  EXPECT_EQ(delegated_from("/"), "");
  EXPECT_EQ(delegated_from("/user.slice/user@"), "");
}

// A directory stands in for the hierarchy, and a child for an ordinary user, whose file each of these is.
class DelegatedGroup : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs to become another user";
    ASSERT_TRUE(make_directories(group_, 0755));
    write("cgroup.controllers", "cpu memory pids\n");
    write("cgroup.subtree_control", "");
    write("cgroup.procs", "");
    ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
  }

  void write(const std::string& file, const std::string& text) {
    ASSERT_TRUE(write_file(group_ + "/" + file, text));
    ASSERT_EQ(::chown((group_ + "/" + file).c_str(), kUser, kUser), 0);
  }

  std::string path_for_user() const {
    const Pipe answer = *make_pipe();
    const pid_t user = ::fork();
    if (user == 0) {
      const bool became = ::setresgid(kUser, kUser, kUser) == 0 && ::setresuid(kUser, kUser, kUser) == 0;
      const auto cgroups = Cgroups::parse("32 30 0:28 / " + directory_.path() + " rw - cgroup2 cgroup2 rw\n",
                                          "0::" + std::string(kManager) + "/app.slice/sandboxd.service\n");
      const std::string path = became ? cgroups.path_for("5f0c") + "\n" : "still root\n";
      (void)!::write(answer.write.get(), path.data(), path.size());
      ::_exit(0);
    }
    char said[512] = {};
    const ssize_t size = ::read(answer.read.get(), said, sizeof(said));
    ::waitpid(user, nullptr, 0);
    return {said, static_cast<std::size_t>(std::max<ssize_t>(size, 1)) - 1};
  }

  static constexpr uid_t kUser = 65534;
  const std::string unit_ = std::string(kManager) + "/app.slice/sandboxd-sandboxes.service";
  const testing::TemporaryDirectory directory_;
  const std::string group_ = directory_.path() + unit_;
};

TEST_F(DelegatedGroup, HoldsTheSandboxesOfAnOrdinaryUser) { EXPECT_EQ(path_for_user(), unit_ + "/sandboxd/5f0c"); }

TEST_F(DelegatedGroup, OfAnotherUserIsNotUsed) {
  ASSERT_EQ(::chown((group_ + "/cgroup.procs").c_str(), 0, 0), 0);
  EXPECT_EQ(path_for_user(), "");
}

TEST_F(DelegatedGroup, WithoutMemoryIsNotUsed) {
  write("cgroup.controllers", "pids\n");
  EXPECT_EQ(path_for_user(), "");
}

TEST_F(DelegatedGroup, WithAProcessInItIsNotUsed) {
  write("cgroup.procs", "17\n");
  EXPECT_EQ(path_for_user(), "");
  write("cgroup.subtree_control", "memory pids\n");
  EXPECT_EQ(path_for_user(), unit_ + "/sandboxd/5f0c") << "it was passed on before";
}

TEST_F(DelegatedGroup, OfAUnitThatDoesNotRunIsNotThere) {
  ASSERT_TRUE(remove_tree(group_));
  EXPECT_EQ(path_for_user(), "");
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
