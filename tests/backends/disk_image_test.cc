// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/disk_image.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "backends/disk_size.h"
#include "base/child.h"
#include "base/file.h"
#include "base/text.h"
#include "support/small_disk.h"
#include "support/temporary_directory.h"

namespace sbx::backends {
namespace {

class DiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!find_program("mkfs.ext4")) GTEST_SKIP() << "mkfs.ext4 is not installed";
  }
  struct stat info() {
    struct stat found {};
    EXPECT_EQ(::stat(path.c_str(), &found), 0);
    return found;
  }
  // Of a disk that no guest has seen.
  std::string said_by(std::vector<std::string> argv) {
    argv.push_back(path);
    Command command;
    command.argv = std::move(argv);
    const auto output = run(command);
    EXPECT_TRUE(output && output->exit.code == 0) << (output ? output->out + output->err : output.error().what());
    return output ? output->out : "";
  }

  testing::TemporaryDirectory directory;
  std::string path = directory / "Docker.raw";
  testing::TemporaryDirectory cache_directory;
  std::string cache = cache_directory.path();
};

TEST_F(DiskTest, HasTheDirectoriesThatTheGuestLaysOverItsTemplate) {
  ASSERT_TRUE(ready_disk(path, kDefaultDisk, cache));
  for (const char* name : {"upper", "work"}) {
    const std::string about = said_by({"debugfs", "-R", std::string("stat ") + name});
    EXPECT_NE(about.find("Type: directory    Mode:  0755"), std::string::npos) << about;
    EXPECT_NE(about.find("User:     0   Group:     0"), std::string::npos) << about;
  }
}

TEST_F(DiskTest, IsACopyThatLeavesTheBlankOneAsItWas) {
  ASSERT_TRUE(ready_disk(path, kSmallestDisk, cache));
  const std::string blank = cache + "/disks/" + names_in(cache + "/disks").at(0);
  const std::string before = *read_file(blank, 100u << 20);
  EXPECT_EQ(*read_file(path, 100u << 20), before);
  ASSERT_TRUE(write_file(path, "a guest was here"));
  ASSERT_TRUE(ready_disk(directory / "Other.raw", kSmallestDisk, cache));
  EXPECT_EQ(*read_file(directory / "Other.raw", 100u << 20), before);
  EXPECT_EQ(*read_file(blank, 100u << 20), before);
}

TEST_F(DiskTest, OfAnotherSizeIsACopyOfAnother) {
  ASSERT_TRUE(ready_disk(path, kSmallestDisk, cache));
  ASSERT_TRUE(ready_disk(directory / "Other.raw", 2 * kSmallestDisk, cache));
  EXPECT_EQ(names_in(cache + "/disks").size(), 2u);
}

TEST_F(DiskTest, IsAsBigAsAskedForAndTakesAlmostNothing) {
  ASSERT_TRUE(ready_disk(path, kDefaultDisk, cache));
  EXPECT_EQ(info().st_size, kDefaultDisk);
  EXPECT_LT(info().st_blocks * 512, 2 << 20);
  EXPECT_EQ(info().st_mode & 07777, 0600u);
  EXPECT_EQ(directory.entries(), std::vector<std::string>{"Docker.raw"});
}

TEST_F(DiskTest, IsAWholeFileSystem) {
  for (const std::int64_t bytes : {kSmallestDisk, std::int64_t{1} << 30, kDefaultDisk}) {
    ASSERT_TRUE(ready_disk(path, bytes, cache));
    said_by({"e2fsck", "-f", "-n"});
    ASSERT_TRUE(remove_tree(path));
  }
}

TEST_F(DiskTest, ASmallOneHasBlocksOfThePlainSize) {
  ASSERT_TRUE(ready_disk(path, kSmallestDisk, cache));
  EXPECT_NE(said_by({"dumpe2fs", "-h"}).find("Block size:               4096"), std::string::npos);
}

TEST_F(DiskTest, LeavesNoInodeTableForTheGuestToInitialise) {
  ASSERT_TRUE(ready_disk(path, std::int64_t{4} << 30, cache));
  std::size_t groups = 0;
  for (const std::string& line : split(said_by({"dumpe2fs"}), '\n')) {
    if (!line.starts_with("Group ") || line.find(": (Blocks ") == std::string::npos) continue;
    EXPECT_NE(line.find("ITABLE_ZEROED"), std::string::npos) << line;
    ++groups;
  }
  EXPECT_EQ(groups, 32u);
}

TEST_F(DiskTest, OneThatIsThereIsNeverMadeAnew) {
  ASSERT_TRUE(write_file(path, "a sandbox's work"));
  ASSERT_TRUE(ready_disk(path, kDefaultDisk, cache));
  ASSERT_TRUE(ready_disk(path, 1, cache));
  EXPECT_EQ(read_file(path), "a sandbox's work");
}

TEST_F(DiskTest, AFullHostIsOneClearErrorAndNothingIsLeft) {
  const testing::SmallDisk full(directory.path(), 300 << 10);
  if (!full.mounted()) GTEST_SKIP() << "only root can mount a small file system";
  const auto made = ready_disk(path, kDefaultDisk, cache);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().what().find("No space left on device"), std::string::npos) << made.error().what();
  EXPECT_NE(made.error().what().find(path), std::string::npos);
  EXPECT_TRUE(directory.entries().empty());
}

}  // namespace
}  // namespace sbx::backends
