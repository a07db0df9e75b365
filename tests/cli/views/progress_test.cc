// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/progress.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

TEST(Progress, ALineHasABarWhenTheTotalIsKnown) {
  EXPECT_EQ(progress_line({"unpack", 0, 0}, 80), "unpack");
  EXPECT_EQ(progress_line({"unpack", 1, 4}, 80), "unpack  [######                  ]  25%");
  EXPECT_EQ(progress_line({"unpack", 9, 4}, 80), "unpack  [########################] 100%");
  EXPECT_EQ(progress_line({"unpack", -1, 4}, 80), "unpack  [                        ]   0%");
}

TEST(Progress, ALineFitsAndCannotDriveTheTerminal) {
  EXPECT_EQ(progress_line({"a long step", 0, 0}, 6), "a long");
  EXPECT_EQ(progress_line({"\x1b[2Jx", 0, 0}, 80), "\\x1b[2Jx");
}

}  // namespace
}  // namespace sbx::cli
