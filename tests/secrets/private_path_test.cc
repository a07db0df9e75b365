// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/private_path.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::secrets {
namespace {

TEST(PrivatePath, WantsADirectoryOfTheUserAlone) {
  const testing::TemporaryDirectory directory;
  EXPECT_TRUE(check_private_directory(directory.path()));
  ASSERT_EQ(::chmod(directory.path().c_str(), 0750), 0);
  const auto checked = check_private_directory(directory.path());
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code(), Code::kForbidden);
  EXPECT_EQ(checked.error().hint(), "chmod 700 " + directory.path());
}

TEST(PrivatePath, WantsAPlainFileOfTheUserAlone) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "key";
  EXPECT_EQ(check_private_file(path).error().code(), Code::kNotFound);
  ASSERT_TRUE(write_file(path, "x", 0600));
  EXPECT_TRUE(check_private_file(path));
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  EXPECT_EQ(check_private_file(path).error().hint(), "chmod 600 " + path);
  ASSERT_EQ(::symlink(path.c_str(), (directory / "link").c_str()), 0);
  EXPECT_EQ(check_private_file(directory / "link").error().code(), Code::kForbidden);
}

TEST(PrivatePath, RefusesWhatBelongsToAnother) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "key";
  ASSERT_TRUE(write_file(path, "x", 0600));
  ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
  const auto checked = check_private_file(path);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().hint(), "chown 0 " + path);
}

}  // namespace
}  // namespace sbx::secrets
