// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/context.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

TEST(Context, CommandLinesOfOursAreShownAsTheUserTypesThem) {
  static Context docker;  // its streams are those of this process, which it closes
  docker.program = "docker sandbox";
  const struct {
    const char *text, *typed;
  } kCases[] = {
      {"sandbox ls", "docker sandbox ls"},
      {"sandbox stop box && sandbox start box", "docker sandbox stop box && docker sandbox start box"},
      {"a container (sandbox diagnose)", "a container (docker sandbox diagnose)"},
      {"docker sandbox ls", "docker sandbox ls"},
      {"no sandbox box is there", "no sandbox box is there"},
      {"restart the sandbox to use it", "restart the sandbox to use it"},
      {"see /usr/sandbox ls", "see /usr/sandbox ls"},
      {"", ""},
  };
  for (const auto& one : kCases) EXPECT_EQ(docker.as_typed(one.text), one.typed);
  docker.program = "sandbox";
  EXPECT_EQ(docker.as_typed("sandbox ls"), "sandbox ls");
}

}  // namespace
}  // namespace sbx::cli
