// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/temporary_directory.h"

namespace sbx {
namespace {

TEST(File, AtomicWriteReplacesAndLeavesNoTemporary) {
  const testing::TemporaryDirectory dir;
  ASSERT_TRUE(write_file_atomically(dir.path() + "/a", "one"));
  ASSERT_TRUE(write_file_atomically(dir.path() + "/a", "two"));
  EXPECT_EQ(*read_file(dir.path() + "/a"), "two");
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"a"});
}

TEST(File, AtomicWriteThatFailsKeepsTheOldContent) {
  const testing::TemporaryDirectory dir;
  ASSERT_EQ(::mkdir((dir.path() + "/a").c_str(), 0700), 0);
  ASSERT_TRUE(write_file_atomically(dir.path() + "/a/file", "old"));
  EXPECT_FALSE(write_file_atomically(dir.path() + "/a", "new"));  // a directory is in the way
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"a"});
  EXPECT_EQ(*read_file(dir.path() + "/a/file"), "old");
}

TEST(File, ACreatedFileNeverReplacesOneThatIsThere) {
  const testing::TemporaryDirectory dir;
  ASSERT_TRUE(create_file(dir.path() + "/a", "first"));
  EXPECT_EQ(create_file(dir.path() + "/a", "second").error().code(), Code::kConflict);
  EXPECT_EQ(*read_file(dir.path() + "/a"), "first");
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"a"});
}

TEST(File, RemoveTreeDoesNotFollowLinks) {
  const testing::TemporaryDirectory dir;
  const testing::TemporaryDirectory elsewhere;
  ASSERT_TRUE(write_file(elsewhere.path() + "/precious", "x"));
  ASSERT_TRUE(make_directories(dir.path() + "/t/deep/er"));
  ASSERT_EQ(::symlink(elsewhere.path().c_str(), (dir.path() + "/t/deep/link").c_str()), 0);
  ASSERT_TRUE(remove_tree(dir.path() + "/t"));
  EXPECT_FALSE(exists(dir.path() + "/t"));
  EXPECT_TRUE(exists(elsewhere.path() + "/precious"));
}

TEST(File, RemoveTreeOpensWhatHasNoPermissions) {
  const testing::TemporaryDirectory dir;
  ASSERT_TRUE(make_directories(dir.path() + "/t/work/inner"));
  ASSERT_EQ(::chmod((dir.path() + "/t/work").c_str(), 0), 0);
  EXPECT_TRUE(remove_tree(dir.path() + "/t"));
  EXPECT_TRUE(remove_tree(dir.path() + "/t"));  // a missing path is success
}

TEST(File, NamesAreInOrderAndHiddenOnesAreNotAmongThem) {
  const testing::TemporaryDirectory dir;
  for (const char* name : {"/b", "/.hidden", "/c", "/a"}) ASSERT_TRUE(write_file(dir.path() + name, "x"));
  EXPECT_EQ(names_in(dir.path()), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(names_in(dir.path() + "/missing").empty());
}

TEST(File, ARemovedFileIsGoneAndAMissingOneIsNoError) {
  const testing::TemporaryDirectory dir;
  ASSERT_TRUE(write_file(dir.path() + "/a", "x"));
  EXPECT_TRUE(remove_file(dir.path() + "/a"));
  EXPECT_FALSE(exists(dir.path() + "/a"));
  EXPECT_TRUE(remove_file(dir.path() + "/a"));
  EXPECT_FALSE(remove_file(dir.path()));  // a directory is not a file
}

TEST(File, OpenBeneathRefusesEveryWayOut) {
  const testing::TemporaryDirectory dir;
  ASSERT_TRUE(make_directories(dir.path() + "/in"));
  ASSERT_TRUE(write_file(dir.path() + "/secret", "x"));
  ASSERT_TRUE(write_file(dir.path() + "/in/fine", "x"));
  ASSERT_EQ(::symlink("../secret", (dir.path() + "/in/link").c_str()), 0);
  const auto directory = open_path(dir.path() + "/in", O_PATH | O_DIRECTORY);
  ASSERT_TRUE(directory);
  EXPECT_TRUE(open_beneath(*directory, "fine", O_RDONLY));
  EXPECT_TRUE(open_beneath(*directory, ".", O_RDONLY | O_DIRECTORY));
  for (const char* path : {"../secret", "link", "/etc/passwd", "fine/../../secret"})
    EXPECT_FALSE(open_beneath(*directory, path, O_RDONLY)) << path;
}

TEST(File, ReadIsBounded) {
  const testing::TemporaryDirectory dir;
  ASSERT_TRUE(write_file(dir.path() + "/big", std::string(1001, 'x')));
  EXPECT_TRUE(read_file(dir.path() + "/big", 1001));
  const auto refused = read_file(dir.path() + "/big", 1000);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace sbx
