// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/workspace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::cli {
namespace {

class Workspace : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(make_directories(directory_ / "real", 0755));
    ASSERT_EQ(::symlink((directory_ / "real").c_str(), (directory_ / "link").c_str()), 0);
    ASSERT_TRUE(write_file_atomically(directory_ / "file", "x"));
  }
  testing::TemporaryDirectory directory_;
};

TEST_F(Workspace, HasTheSamePathOnBothSides) {
  const auto workspace = parse_workspace(directory_ / "real");
  ASSERT_TRUE(workspace);
  EXPECT_EQ(workspace->source, directory_ / "real");
  EXPECT_EQ(workspace->target, directory_ / "real");
  EXPECT_FALSE(workspace->readonly);
}

// Which of the links may be followed is for the daemon to say.
TEST_F(Workspace, IsMadeAbsoluteWithItsLinksAsTheyAre) {
  EXPECT_EQ(parse_workspace(directory_ / "link")->source, directory_ / "link");
  EXPECT_EQ(parse_volume((directory_ / "link") + ":/data")->source, directory_ / "link");
  EXPECT_EQ(parse_workspace(".")->source, *canonical_path(".") + "/.");
  EXPECT_EQ(parse_volume("..:/data")->source, *canonical_path(".") + "/..");
}

TEST_F(Workspace, ASuffixMakesItReadOnlyAndIsShownAgain) {
  for (const char* suffix : {":ro", ":readonly"}) {
    const auto workspace = parse_workspace((directory_ / "real") + suffix);
    ASSERT_TRUE(workspace);
    EXPECT_TRUE(workspace->readonly);
    EXPECT_EQ(workspace_text(*workspace), directory_ / "real:ro");
  }
}

TEST_F(Workspace, HasToBeADirectory) {
  const auto missing = parse_workspace(directory_ / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().what(), "workspace " + (directory_ / "none") + " does not exist");
  EXPECT_EQ(missing.error().code(), Code::kInvalid);
  const auto file = parse_workspace(directory_ / "file");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().what(), "workspace " + (directory_ / "file") + " is not a directory");
}

TEST_F(Workspace, AnEmptyOneAndAQuotedTildeAreExplained) {
  const auto empty = parse_workspace("");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().what(), "the workspace is an empty text: it must be a directory");
  const auto tilde = parse_workspace("~/project");
  ASSERT_FALSE(tilde);
  EXPECT_NE(tilde.error().what().find("in quotes, ~ is not your home directory"), std::string::npos);
  EXPECT_EQ(tilde.error().hint(), "without quotes, or $HOME/project");
}

TEST_F(Workspace, AVolumeHasASourceATargetAndAMode) {
  const std::string source = directory_ / "link";
  const auto writable = parse_volume(source + ":/data");
  ASSERT_TRUE(writable);
  EXPECT_EQ(writable->source, source);
  EXPECT_EQ(writable->target, "/data");
  EXPECT_FALSE(writable->readonly);
  EXPECT_TRUE(parse_volume(source + ":/data:ro")->readonly);
  EXPECT_FALSE(parse_volume(source + ":/data:rw")->readonly);
}

TEST_F(Workspace, AVolumeThatCannotBeMeantIsRefused) {
  const std::string source = directory_ / "real";
  const std::vector<std::string> refused{source,
                                         source + ":",
                                         ":/data",
                                         source + ":data",
                                         source + ":/data:z",
                                         source + ":/a:ro:x",
                                         directory_ / "none:/data"};
  for (const std::string& text : refused) {
    const auto volume = parse_volume(text);
    ASSERT_FALSE(volume) << text;
    EXPECT_EQ(volume.error().code(), Code::kInvalid) << text;
  }
}

}  // namespace
}  // namespace sbx::cli
