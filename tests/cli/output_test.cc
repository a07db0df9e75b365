// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

TEST(Columns, AreAlignedByCharactersAndNotByBytes) {
  EXPECT_EQ(columns({{"A", "B"}, {"élan", "x"}, {"lang", "y"}}), "A      B\nélan   x\nlang   y\n");
}

TEST(Columns, NoLineEndsInBlanks) { EXPECT_EQ(columns({{"long one", ""}, {"x", ""}}), "long one\nx\n"); }

TEST(Columns, ControlCharactersAreEscaped) { EXPECT_EQ(columns({{"a\nb", "\x1b]0;x"}}), "a\\x0ab   \\x1b]0;x\n"); }

TEST(Styled, APipeGetsNoColour) {
  const auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  EXPECT_EQ(styled(pipe->write, Style::kError, "error:"), "error:");
}

}  // namespace
}  // namespace sbx::cli
