// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <gtest/gtest.h>

#include <string>

namespace sbx {
namespace {

constexpr std::string_view kWords[] = {"mode", "network", "tools", "tmpDir"};

TEST(Nearest, IsTheWordWithTheFewestChanges) {
  EXPECT_EQ(nearest_word("mdoe", kWords), "mode");
  EXPECT_EQ(nearest_word("netwrk", kWords), "network");
  EXPECT_EQ(nearest_word("tmpdir", kWords), "tmpDir");
}

TEST(Nearest, IsNoneWhenAllAreFar) {
  EXPECT_EQ(nearest_word("frobnicate", kWords), "");
  EXPECT_EQ(nearest_word("", kWords), "");
  EXPECT_EQ(nearest_word(std::string(1 << 20, 'x'), kWords), "");
}

}  // namespace
}  // namespace sbx
