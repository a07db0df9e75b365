// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/resolver.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

class GuestResolver : public ::testing::Test {
 protected:
  GuestResolver() { EXPECT_TRUE(make_directories(root_ / "etc", 0755)); }
  std::string text(const std::string& name) { return read_file(root_ / name).value_or("(none)"); }

  testing::TemporaryDirectory root_;
};

TEST_F(GuestResolver, TheHostHasALineAfterTheUsers) {
  ASSERT_TRUE(write_file(root_ / "etc/hosts", "10.0.0.1 db"));
  ASSERT_TRUE(ensure_resolver(root_.path()) && ensure_resolver(root_.path()));
  EXPECT_EQ(text("etc/hosts"), "10.0.0.1 db\n198.18.0.1\thost.docker.internal\n");
  EXPECT_EQ(text("etc/resolv.conf"), "nameserver 198.18.0.1\n");
}

TEST_F(GuestResolver, NamesThatCannotBeReadAreNotReplaced) {
  const std::string large((1u << 20) + 1, '#');
  ASSERT_TRUE(write_file(root_ / "etc/hosts", large));
  EXPECT_FALSE(ensure_resolver(root_.path()));
  EXPECT_TRUE(text("etc/hosts") == large);
  EXPECT_EQ(text("etc/resolv.conf"), "nameserver 198.18.0.1\n");
}

}  // namespace
}  // namespace sbx::guest
