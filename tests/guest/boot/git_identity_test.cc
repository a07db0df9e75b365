// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/git_identity.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

class GitIdentity : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(make_directories(directory_ / "etc", 0755)); }
  std::string file() const { return directory_ / "etc/gitconfig"; }
  std::string text() const { return read_file(file()).value_or("(none)"); }
  void ensure(const std::string& name, const std::string& email) const {
    EXPECT_TRUE(ensure_git_identity({name, email}, directory_.path()));
  }
  testing::TemporaryDirectory directory_;
};

TEST_F(GitIdentity, IsInTheWeakestPlaceAndFollowsTheHost) {
  ensure("Ann \"A\" B\\C", "ann@example.com");
  EXPECT_NE(text().find("[user]\n\tname = \"Ann \\\"A\\\" B\\\\C\"\n\temail = \"ann@example.com\"\n"),
            std::string::npos);
  ensure("", "new@example.com");
  EXPECT_EQ(text().find("name ="), std::string::npos);
  EXPECT_NE(text().find("\temail = \"new@example.com\"\n"), std::string::npos);
}

TEST_F(GitIdentity, IsNotPutOverAFileOfTheUsers) {
  ASSERT_TRUE(write_file(file(), "[core]\n"));
  ensure("Ann", "ann@example.com");
  EXPECT_EQ(text(), "[core]\n");
}

TEST_F(GitIdentity, OfNobodyIsNoFile) {
  ensure("", "");
  EXPECT_EQ(text(), "(none)");
}

TEST_F(GitIdentity, CannotBringASecondLine) {
  ensure("Ann\n[core]\n\tpager = x", "");
  EXPECT_NE(text().find("\tname = \"Ann[core]pager = x\"\n"), std::string::npos);
}

}  // namespace
}  // namespace sbx::guest
