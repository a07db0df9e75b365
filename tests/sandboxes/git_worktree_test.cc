// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/git_worktree.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::sandboxes {
namespace {

// main/.git with a worktree tree, as git makes them.
class GitWorktreeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* made :
         {"tree", "main/.git/objects", "main/.git/refs", "main/.git/hooks", "main/.git/worktrees/tree"})
      ASSERT_TRUE(make_directories(root_ + "/" + made, 0755));
    put("main/.git/HEAD", "ref: refs/heads/main\n");
    put("main/.git/config", "[core]\n");
    put("main/.git/worktrees/tree/commondir", "../..\n");
    put("main/.git/worktrees/tree/gitdir", root_ + "/tree/.git\n");
    put("tree/.git", "gitdir: " + root_ + "/main/.git/worktrees/tree\n");
  }
  void put(const std::string& name, const std::string& text) { ASSERT_TRUE(write_file(root_ + "/" + name, text)); }
  std::optional<GitWorktree> found(bool readonly = false) const {
    return git_worktree({root_ + "/tree", root_ + "/tree", readonly});
  }

  testing::TemporaryDirectory directory_;
  const std::string root_ = *canonical_path(directory_.path());
};

TEST_F(GitWorktreeTest, NeedsItsRepositoryAndMayWriteWhatIsNotObeyed) {
  const auto worktree = found();
  ASSERT_TRUE(worktree);
  const std::string git = root_ + "/main/.git";
  EXPECT_EQ(worktree->repository, git);
  std::string mounts;
  for (const auto& mount : worktree->mounts)
    mounts += mount.source.substr(git.size()) + (mount.readonly ? " ro\n" : " rw\n");
  EXPECT_EQ(mounts, " ro\n/objects rw\n/refs rw\n/worktrees/tree rw\n");
  for (const auto& mount : worktree->mounts) EXPECT_EQ(mount.source, mount.target);
}

TEST_F(GitWorktreeTest, OfAReadOnlyWorkspaceNothingIsWritable) {
  ASSERT_TRUE(found(true));
  EXPECT_EQ(found(true)->mounts.size(), 1u);
}

TEST_F(GitWorktreeTest, ARelativePathIsFollowedToo) {
  put("tree/.git", "gitdir: ../main/.git/worktrees/tree\n");
  put("main/.git/worktrees/tree/gitdir", "../../../../tree/.git\n");
  EXPECT_TRUE(found());
}

TEST_F(GitWorktreeTest, ARepositoryThatDoesNotKnowTheWorkspaceIsNotGiven) {
  put("main/.git/worktrees/tree/gitdir", root_ + "/other/.git\n");
  EXPECT_FALSE(found());
}

TEST_F(GitWorktreeTest, WhatIsNoWorktreeIsNone) {
  put("tree/.git", "gitdir: " + root_ + "/main/.git\n");  // a submodule's form
  EXPECT_FALSE(found());
  put("tree/.git", "nonsense");
  EXPECT_FALSE(found());
  ASSERT_EQ(::unlink((root_ + "/tree/.git").c_str()), 0);
  ASSERT_EQ(::symlink((root_ + "/main/.git/HEAD").c_str(), (root_ + "/tree/.git").c_str()), 0);
  EXPECT_FALSE(found());
}

TEST_F(GitWorktreeTest, ACommonDirectoryElsewhereIsNotGiven) {
  ASSERT_TRUE(make_directories(root_ + "/secret/objects"));
  ASSERT_TRUE(make_directories(root_ + "/secret/refs"));
  put("secret/HEAD", "");
  put("main/.git/worktrees/tree/commondir", root_ + "/secret\n");
  EXPECT_FALSE(found());
}

TEST_F(GitWorktreeTest, ARepositoryThatHasOtherThingsThanGitsIsNamedAsSuch) {
  EXPECT_EQ(found()->foreign, "");
  put("main/.git/.env", "TOKEN=x");
  EXPECT_EQ(found()->foreign, ".env");
}

// What an agent can make of its workspace, so that the sandbox of a directory in it gets all of it.
TEST_F(GitWorktreeTest, ADirectoryAboveTheWorkspaceThatWasMadeARepositoryIsNamedAsSuch) {
  for (const char* made : {"proj/objects", "proj/refs", "proj/worktrees/x", "proj/pkg", "proj/other"})
    ASSERT_TRUE(make_directories(root_ + "/" + made, 0755));
  put("proj/HEAD", "ref: refs/heads/main\n");
  put("proj/worktrees/x/commondir", "../..\n");
  put("proj/worktrees/x/gitdir", root_ + "/proj/pkg/.git\n");
  put("proj/pkg/.git", "gitdir: ../worktrees/x\n");
  const std::string workspace = root_ + "/proj/pkg";
  EXPECT_EQ(git_worktree({workspace, workspace, false})->foreign, "other");
  ASSERT_EQ(::rmdir((root_ + "/proj/other").c_str()), 0);
  EXPECT_EQ(git_worktree({workspace, workspace, false})->foreign, "") << "a bare repository with one worktree in it";
}

}  // namespace
}  // namespace sbx::sandboxes
