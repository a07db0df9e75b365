// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/copy_rule.h"

#include <gtest/gtest.h>

namespace sbx::builds {
namespace {

TEST(CopyRule, AFileGoesIntoADirectoryOrBecomesTheDestination) {
  EXPECT_EQ(CopyRule({"a.txt"}, "/app/", true).target_of("a.txt"), "/app/a.txt");
  EXPECT_EQ(CopyRule({"a.txt"}, "/app/b.txt", false).target_of("a.txt"), "/app/b.txt");
  EXPECT_EQ(CopyRule({"sub/a.txt"}, "/app", true).target_of("sub/a.txt"), "/app/a.txt");
}

TEST(CopyRule, OfADirectoryTheContentIsCopied) {
  const CopyRule rule({"src"}, "/app", false);
  EXPECT_EQ(rule.target_of("src"), "/app");
  EXPECT_EQ(rule.target_of("src/a.c"), "/app/a.c");
  EXPECT_EQ(rule.target_of("src/deep/b.c"), "/app/deep/b.c");
  EXPECT_EQ(rule.target_of("srcs"), std::nullopt);
}

TEST(CopyRule, ADotIsAll) {
  const CopyRule rule({"."}, "/", true);
  EXPECT_EQ(rule.target_of("a"), "/a");
  EXPECT_EQ(rule.target_of("b/c"), "/b/c");
}

TEST(CopyRule, PatternsDoNotPassASlash) {
  const CopyRule rule({"*.txt", "d*/x"}, "/to/", true);
  EXPECT_EQ(rule.target_of("a.txt"), "/to/a.txt");
  EXPECT_EQ(rule.target_of("sub/a.txt"), std::nullopt);
  EXPECT_EQ(rule.target_of("dir/x"), "/to/x");
  EXPECT_EQ(rule.source_of("dir/x"), 1u);
}

TEST(CopyRule, ASourceNamesItselfAndNotWhatIsBelowIt) {
  const CopyRule rule({"a", "*.tar"}, "/to/", true);
  EXPECT_TRUE(rule.names("a"));
  EXPECT_TRUE(rule.names("b.tar"));
  EXPECT_FALSE(rule.names("a/b.tar"));
  EXPECT_FALSE(CopyRule({"."}, "/", true).names("b.tar"));
}

// What a Dockerfile says cannot lead out of what is copied from, nor to a path with ".." in it.
TEST(CopyRule, DotsLeadNowhere) {
  EXPECT_EQ(CopyRule({"../../etc/passwd"}, "/x", false).sources().front(), "etc/passwd");
  EXPECT_EQ(CopyRule({"a"}, "/x/../../etc/", true).target_of("a"), "/etc/a");
  EXPECT_EQ(plain_path("a/./b//c/"), "a/b/c");
  EXPECT_EQ(plain_path("../a"), "a");
  EXPECT_EQ(plain_path("/"), "");
}

}  // namespace
}  // namespace sbx::builds
