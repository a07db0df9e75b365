// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/basic.h"

#include <gtest/gtest.h>

namespace sbx::vault {
namespace {

TEST(Basic, IsReadWithoutPaddingAndWhateverTheCaseOfItsScheme) {
  EXPECT_EQ(text_in_basic("bAsIc Zm86Yg"), "fo:b");
  EXPECT_EQ(text_in_basic("Basic   Zm86Yg=="), "fo:b");
}

TEST(Basic, IsNotSeenInWhatIsNot) {
  for (const char* other : {"Bearer Zm9v", "Basic", "Basic Zm9v!", "Basic Z", "Basically Zm9v", ""})
    EXPECT_FALSE(text_in_basic(other) && !text_in_basic(other)->empty()) << other;
}

}  // namespace
}  // namespace sbx::vault
