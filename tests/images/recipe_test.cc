// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/recipe.h"

#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace sbx::images {
namespace {

TEST(Recipe, AnUnknownNameIsToldTheKnownOnes) {
  const auto found = find_recipe("nosuch");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), Code::kNotFound);
  EXPECT_EQ(found.error().what(), "no template is called nosuch; there is: shell");
}

TEST(Recipe, TheKeyChangesWithWhateverChangesTheTree) {
  const Recipe& shell = **find_recipe("shell");
  const Distribution bookworm{"debian", "bookworm"};
  Recipe more = shell;
  more.packages.push_back("nano");
  Recipe other_variant = shell;
  other_variant.variant = "apt";
  EXPECT_EQ(key_of(shell, bookworm), key_of(shell, bookworm));
  EXPECT_NE(key_of(shell, bookworm), key_of(more, bookworm));
  EXPECT_NE(key_of(shell, bookworm), key_of(other_variant, bookworm));
  EXPECT_NE(key_of(shell, bookworm), key_of(shell, {"debian", "trixie"}));
}

TEST(Recipe, TheReleaseIsReadFromOsRelease) {
  const testing::TemporaryDirectory scratch;
  const std::string file = scratch / "os-release";
  ASSERT_TRUE(write_file_atomically(file, "NAME=\"Ubuntu\"\nID=ubuntu\nVERSION_CODENAME=\"noble\"\nID_LIKE=debian\n"));
  const auto found = host_distribution(file);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, "ubuntu");
  EXPECT_EQ(found->codename, "noble");
}

TEST(Recipe, AHostWithoutACodenameIsToldWhatWouldWork) {
  const testing::TemporaryDirectory scratch;
  ASSERT_TRUE(write_file_atomically(scratch / "os-release", "ID=arch\n"));
  const auto found = host_distribution(scratch / "os-release");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), Code::kUnavailable);
  EXPECT_NE(found.error().hint().find("Debian"), std::string::npos);
}

}  // namespace
}  // namespace sbx::images
