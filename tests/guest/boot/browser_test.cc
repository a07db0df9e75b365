// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/browser.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/child.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

class Browser : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(offer_browser(directory_ / "run/open")); }
  // Without a terminal, whatever the test has.
  RunOutput open(const std::string& address) const {
    Command command;
    command.argv = {"setsid", "--wait", directory_ / "run/open", address};
    return run(command, std::chrono::seconds(20)).value();
  }
  testing::TemporaryDirectory directory_;
};

TEST_F(Browser, WithoutATerminalPrintsTheAddress) {
  const RunOutput opened = open("https://a.example/?x=1&y=2");
  EXPECT_EQ(opened.exit.code, 0);
  EXPECT_EQ(opened.err, "Open in your browser: https://a.example/?x=1&y=2\n");
}

TEST_F(Browser, OpensNothingButWebPages) {
  for (const char* address : {"file:///etc/passwd", "", "--help", "$(id)"}) EXPECT_EQ(open(address).exit.code, 1);
}

TEST_F(Browser, WritesNoControlCharacters) {
  EXPECT_EQ(open("https://a.example/\033]0;x\007\n").err, "Open in your browser: https://a.example/]0;x\n");
}

}  // namespace
}  // namespace sbx::guest
