// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <gtest/gtest.h>

namespace sbx {
namespace {

TEST(RandomHex, IsTwoDigitsForEachByteAndAnotherEachTime) {
  const std::string text = random_hex(32);
  EXPECT_EQ(text.size(), 64u);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos) << text;
  EXPECT_NE(random_hex(32), text);
}

}  // namespace
}  // namespace sbx
