// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/git_names.h"

#include <gtest/gtest.h>

namespace sbx::sandboxes {
namespace {

TEST(GitNames, AreThoseThatGitAndItsToolsMake) {
  for (const char* name : {"HEAD", "config", "objects", "packed-refs", "worktrees", "index.lock", "FETCH_HEAD",
                           "COMMIT_EDITMSG", "MERGE_MSG", "BISECT_LOG", "gc.pid", "lfs", "reftable"})
    EXPECT_TRUE(is_git_name(name)) << name;
}

TEST(GitNames, AreNotThoseOfAProject) {
  for (const char* name : {"README.md", "README", ".env", ".git", "src", "Makefile", "package.json", "Cargo.lock",
                           "pkg", ".lock", "", "id_rsa"})
    EXPECT_FALSE(is_git_name(name)) << name;
}

}  // namespace
}  // namespace sbx::sandboxes
