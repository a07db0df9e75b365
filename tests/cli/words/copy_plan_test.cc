// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/copy_plan.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

constexpr Found kNothing{false, false};
constexpr Found kFile{true, false};
constexpr Found kDirectory{true, true};

struct CopyCase {
  const char* source;
  Found at_source;
  const char* destination;
  Found at_destination;
  const char* expected;  // "directory name", or the reason
};

std::string outcome(const CopyCase& c) {
  const auto placement = place(c.source, c.at_source, c.destination, c.at_destination);
  return placement ? placement->directory + " " + placement->name : placement.error().what();
}

// The table of docker cp's manual.
TEST(CopyPlan, FollowsTheRulesOfDockerCp) {
  const CopyCase cases[] = {
      {"/a/f", kFile, "/b/g", kNothing, "/b g"},
      {"/a/f", kFile, "/b/g/", kNothing, "/b/g/: no such directory"},
      {"/a/f", kFile, "/b/g", kFile, "/b g"},
      {"/a/f", kFile, "/b", kDirectory, "/b f"},
      {"/a/f", kFile, "/b/", kDirectory, "/b/ f"},
      {"f", kFile, "g", kNothing, ". g"},
      {"/a/f/", kFile, "/b", kDirectory, "/a/f/: not a directory"},
      {"/a/f/.", kFile, "/b", kDirectory, "/a/f/.: not a directory"},
      {"/a/d", kDirectory, "/b/e", kNothing, "/b e"},
      {"/a/d", kDirectory, "/b/e/", kNothing, "/b e"},
      {"/a/d", kDirectory, "/b/e", kFile, "/b/e: cannot copy a directory over a file"},
      {"/a/d", kDirectory, "/b", kDirectory, "/b d"},
      {"/a/d/", kDirectory, "/b", kDirectory, "/b d"},
      {"/a/d/.", kDirectory, "/b", kDirectory, "/b ."},
      {"/a/d/.", kDirectory, "/b/e", kNothing, "/b e"},
      {".", kDirectory, "/b", kDirectory, "/b ."},
      {"/", kDirectory, "/b", kDirectory, "/b ."},
      {"/a/f", kFile, "/", kDirectory, "/ f"},
      {"/a/f", kFile, "/g", kNothing, "/ g"},
      {"/a/none", kNothing, "/b", kDirectory, "/a/none: no such file or directory"},
      {"/a/d", kDirectory, "/b/none/.", kNothing, "/b/none/.: no such directory"},
  };
  for (const CopyCase& c : cases) EXPECT_EQ(outcome(c), c.expected) << c.source << " to " << c.destination;
}

TEST(CopyPlan, AColonMakesASandboxUnlessItIsInAPath) {
  const auto in_box = parse_copy_operand("box:/tmp/x");
  EXPECT_EQ(in_box.sandbox, "box");
  EXPECT_EQ(in_box.path, "/tmp/x");
  EXPECT_EQ(parse_copy_operand("box:relative").path, "relative");
  EXPECT_EQ(parse_copy_operand("box:/a:b").path, "/a:b");
  EXPECT_EQ(parse_copy_operand("box:").path, ".");
  for (const char* path : {"/a:b", "./a:b", "../a:b", "a/b:c", "plain", ":x", "-"}) {
    EXPECT_FALSE(parse_copy_operand(path).is_remote()) << path;
    EXPECT_EQ(parse_copy_operand(path).path, path);
  }
}

}  // namespace
}  // namespace sbx::cli
