// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/ignore_file.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

TEST(IgnoreFile, LeavesOutWhatMatchesAndAllBelowIt) {
  const IgnoreFile file = IgnoreFile::parse("# comment\nnode_modules\n/build/\n*.log\n");
  EXPECT_TRUE(file.leaves_out("node_modules"));
  EXPECT_TRUE(file.leaves_out("node_modules/a/b.js"));
  EXPECT_TRUE(file.leaves_out("build/x"));
  EXPECT_TRUE(file.leaves_out("a.log"));
  EXPECT_FALSE(file.leaves_out("sub/a.log"));
  EXPECT_FALSE(file.leaves_out("sub/node_modules"));
  EXPECT_FALSE(file.leaves_out("# comment"));
}

TEST(IgnoreFile, TwoStarsAreAnyDepth) {
  const IgnoreFile file = IgnoreFile::parse("**/*.pyc\na/**/z\n");
  EXPECT_TRUE(file.leaves_out("x.pyc"));
  EXPECT_TRUE(file.leaves_out("a/b/c/x.pyc"));
  EXPECT_TRUE(file.leaves_out("a/z"));
  EXPECT_TRUE(file.leaves_out("a/b/c/z"));
  EXPECT_FALSE(file.leaves_out("b/z"));
}

TEST(IgnoreFile, TheLastThatMatchesDecides) {
  const IgnoreFile file = IgnoreFile::parse("*\n!src\nsrc/secret\n");
  EXPECT_TRUE(file.leaves_out("README"));
  EXPECT_FALSE(file.leaves_out("src/a.c"));
  EXPECT_TRUE(file.leaves_out("src/secret/key"));
  EXPECT_FALSE(file.leaves_out_all_below("src"));
}

TEST(IgnoreFile, NothingIsLeftOutByAnEmptyOne) { EXPECT_FALSE(IgnoreFile::parse("").leaves_out("a")); }

}  // namespace
}  // namespace sbx::cli
