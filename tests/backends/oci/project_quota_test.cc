// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// Where the host's kernel has no project quota, tests/e2e/microvm_quota.bats runs these in a guest whose kernel has.
#include "backends/oci/project_quota.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "backends/oci/loop_device.h"
#include "base/child.h"
#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::backends::oci {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

TEST(NoProjectQuota, IsSaidWithAHint) {
  sbx::testing::TemporaryDirectory directory;
  if (project_quotas_work(directory.path())) GTEST_SKIP() << "this file system has it";
  const auto refused = bound_project(directory.path(), kMiB, "seed");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what().find("has no project quota"), std::string::npos) << refused.error().what();
  EXPECT_NE(refused.error().hint().find("prjquota"), std::string::npos);
  EXPECT_TRUE(release_project(directory.path())) << "what was never bounded need not be released";
}

// Root may go over every quota. A guest's root may not, nor may the overlay that writes for it, which gives this right
// up.
void set_quota_override(bool wanted) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2]{};
  ASSERT_EQ(::syscall(SYS_capget, &header, sets), 0);
  const auto bit = 1u << CAP_SYS_RESOURCE;
  sets[0].effective = wanted ? sets[0].effective | (sets[0].permitted & bit) : sets[0].effective & ~bit;
  ASSERT_EQ(::syscall(SYS_capset, &header, sets), 0);
}

// An ext4 with project quotas, mounted while a test runs.
class ProjectQuotaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto works = loop_devices_work(); !works) GTEST_SKIP() << works.error().what();
    const std::string image = directory / "image";
    ASSERT_TRUE(write_file(image, ""));
    ASSERT_EQ(::truncate(image.c_str(), 64 * kMiB), 0);
    Command command;
    command.argv = {"mkfs.ext4", "-q", "-F", "-O", "quota,project", "-E", "quotatype=prjquota", image};
    const auto made = run(command);
    ASSERT_TRUE(made && made->exit.code == 0) << (made ? made->err : made.error().what());
    const auto file = open_path(image, O_RDWR);
    ASSERT_TRUE(file);
    const auto loop = attach_loop_device(*file);
    ASSERT_TRUE(loop) << loop.error().what();
    ASSERT_TRUE(make_directories(mounted_at));
    if (::mount(loop->path.c_str(), mounted_at.c_str(), "ext4", 0, "prjquota") != 0)
      GTEST_SKIP() << "this kernel has no project quota: " << Error::from_errno("mount").what();
    mounted = true;
    ASSERT_TRUE(make_directories(disk));
    set_quota_override(false);
  }
  void TearDown() override {
    if (mounted) {
      set_quota_override(true);
      EXPECT_EQ(::umount2(mounted_at.c_str(), MNT_DETACH), 0);
    }
  }

  std::uint32_t project_of(const std::string& path) {
    const auto file = open_path(path, O_RDONLY);
    fsxattr attributes{};
    EXPECT_TRUE(file);
    EXPECT_EQ(::ioctl(file->get(), FS_IOC_FSGETXATTR, &attributes), 0);
    return attributes.fsx_projid;
  }
  // How many bytes go into a file of that name: as many as the quota lets.
  std::int64_t written_to(const std::string& path, std::int64_t most) {
    const auto file = open_path(path, O_RDWR | O_CREAT | O_EXCL);
    EXPECT_TRUE(file);
    const std::string block(4096, 'x');
    std::int64_t sum = 0;
    for (ssize_t n = 0; sum < most && (n = ::write(file->get(), block.data(), block.size())) > 0;) sum += n;
    return sum;
  }

  sbx::testing::TemporaryDirectory directory;
  std::string mounted_at = directory / "mounted";
  std::string disk = mounted_at + "/disk";
  bool mounted = false;
};

TEST_F(ProjectQuotaTest, ADirectoryHoldsItsBytesAndNoMore) {
  ASSERT_TRUE(project_quotas_work(mounted_at));
  ASSERT_TRUE(bound_project(disk, 4 * kMiB, "seed"));
  ASSERT_TRUE(make_directories(disk + "/upper/deep"));
  EXPECT_LE(written_to(disk + "/upper/deep/big", 32 * kMiB), 4 * kMiB);
  EXPECT_TRUE(errno == EDQUOT || errno == ENOSPC) << errno;
  EXPECT_EQ(written_to(mounted_at + "/outside", 8 * kMiB), 8 * kMiB) << "others are not touched by it";
}

TEST_F(ProjectQuotaTest, ADirectoryHoldsItsFilesAndNoMore) {
  ASSERT_TRUE(bound_project(disk, 4 * kMiB, "seed"));
  int made = 0;
  for (; made < 5000; ++made)
    if (!open_path(disk + "/" + std::to_string(made), O_WRONLY | O_CREAT)) break;
  EXPECT_LT(made, 1024) << "4 MiB in 4096 bytes each";
  EXPECT_GT(made, 900);
}

TEST_F(ProjectQuotaTest, ASecondTimeChangesTheSizeAndNotTheProject) {
  ASSERT_TRUE(bound_project(disk, 4 * kMiB, "seed"));
  const auto project = project_of(disk);
  EXPECT_NE(project, 0u);
  EXPECT_EQ(written_to(disk + "/a", 3 * kMiB), 3 * kMiB);
  ASSERT_TRUE(bound_project(disk, 8 * kMiB, "another seed"));
  EXPECT_EQ(project_of(disk), project);
  EXPECT_EQ(written_to(disk + "/b", 4 * kMiB), 4 * kMiB);
}

TEST_F(ProjectQuotaTest, TwoDirectoriesAreTwoProjectsEvenFromOneSeed) {
  ASSERT_TRUE(bound_project(disk, 4 * kMiB, "seed"));
  ASSERT_TRUE(make_directories(mounted_at + "/other"));
  ASSERT_TRUE(bound_project(mounted_at + "/other", 4 * kMiB, "seed"));
  EXPECT_NE(project_of(disk), project_of(mounted_at + "/other"));
  EXPECT_EQ(written_to(disk + "/a", 3 * kMiB), 3 * kMiB);
  EXPECT_EQ(written_to(mounted_at + "/other/a", 3 * kMiB), 3 * kMiB);
}

TEST_F(ProjectQuotaTest, FilesThatNoQuotaCountsAreNotTakenForBounded) {
  ASSERT_TRUE(write_file(disk + "/before", "x"));
  EXPECT_FALSE(bound_project(disk, 4 * kMiB, "seed"));
}

TEST_F(ProjectQuotaTest, AReleasedProjectIsFreeForTheNext) {
  ASSERT_TRUE(bound_project(disk, 4 * kMiB, "seed"));
  const auto project = project_of(disk);
  ASSERT_TRUE(release_project(disk));
  ASSERT_TRUE(remove_tree(disk));
  EXPECT_TRUE(release_project(disk)) << "it is gone";
  ASSERT_TRUE(make_directories(disk));
  ASSERT_TRUE(bound_project(disk, 4 * kMiB, "seed"));
  EXPECT_EQ(project_of(disk), project);
}

// What a guest's root tries, in a user namespace over an overlay of the directory: 0 if nothing of it works, else a bit
// for each that does.
int tries_of_guest_root(const std::string& root) {
  const std::string path = root + "/file";
  int done = 0;
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
  const int top = ::open(root.c_str(), O_RDONLY | O_DIRECTORY);
  if (file < 0 || top < 0) return 128;
  for (const int fd : {file, top}) {
    fsxattr attributes{};
    if (::ioctl(fd, FS_IOC_FSGETXATTR, &attributes) != 0) return 64;
    for (const std::uint32_t project : {0u, attributes.fsx_projid + 1}) {
      fsxattr wanted = attributes;
      wanted.fsx_projid = project;
      if (::ioctl(fd, FS_IOC_FSSETXATTR, &wanted) == 0) done |= 1;
    }
    fsxattr without = attributes;
    without.fsx_xflags ^= FS_XFLAG_PROJINHERIT;
    if (::ioctl(fd, FS_IOC_FSSETXATTR, &without) == 0) done |= 2;
    int flags = 0;
    if (::ioctl(fd, FS_IOC_GETFLAGS, &flags) != 0) return 32;
    flags ^= FS_PROJINHERIT_FL;
    if (::ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0) done |= 4;
  }
  return done;
}

TEST_F(ProjectQuotaTest, AGuestsRootCannotLeaveItsProject) {
  ASSERT_TRUE(bound_project(disk, 4 * kMiB, "seed"));
  for (const char* name : {"/disk/upper", "/disk/work", "/lower", "/root"})
    ASSERT_TRUE(make_directories(mounted_at + name, 0755));
  const std::string root = mounted_at + "/root";
  const std::string options = "lowerdir=" + mounted_at + "/lower,upperdir=" + disk + "/upper,workdir=" + disk + "/work";
  ASSERT_EQ(::mount("overlay", root.c_str(), "overlay", 0, options.c_str()), 0) << Error::from_errno("mount").what();
  const pid_t guest = ::fork();
  if (guest == 0) {
    const bool inside = ::unshare(CLONE_NEWUSER) == 0 && write_file("/proc/self/uid_map", "0 0 1\n") &&
                        write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/gid_map", "0 0 1\n");
    ::_exit(inside ? tries_of_guest_root(root) : 255);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(guest, &status, 0), guest);
  EXPECT_EQ(status, 0) << "what it did: " << WEXITSTATUS(status);
  EXPECT_EQ(project_of(disk + "/upper/file"), project_of(disk));
  set_quota_override(true);
  EXPECT_LE(written_to(root + "/big", 32 * kMiB), 4 * kMiB) << "even root, through the overlay";
  EXPECT_EQ(::umount2(root.c_str(), MNT_DETACH), 0);
}

}  // namespace
}  // namespace sbx::backends::oci
