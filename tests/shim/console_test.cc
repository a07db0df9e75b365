// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/console.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::shim {
namespace {

class ConsoleTest : public ::testing::Test {
 protected:
  ConsoleTest() : loop_(std::move(*loop::Loop::create())), pair_(std::move(*make_socket_pair())) {
    console_ = std::make_unique<Console>(*loop_, std::move(pair_.ours),
                                         std::move(*open_path(path(), O_WRONLY | O_CREAT | O_APPEND)));
  }

  std::string path() const { return directory_.path() + "/console.log"; }
  void say(std::string_view text) {
    ASSERT_TRUE(write_all(pair_.theirs, text));
    console_->read_rest();
  }

  sbx::testing::TemporaryDirectory directory_;
  std::unique_ptr<loop::Loop> loop_;
  SocketPair pair_;
  std::unique_ptr<Console> console_;
};

TEST_F(ConsoleTest, KeepsWhatWasSaid) {
  say("[    0.1] one\n");
  say("[    0.2] two\n");
  EXPECT_EQ(*read_file(path()), "[    0.1] one\n[    0.2] two\n");
  EXPECT_EQ(console_->last_lines(), "[    0.1] one / [    0.2] two");
}

TEST_F(ConsoleTest, ShowsTheNewestLinesOnly) {
  for (int i = 0; i < 100; ++i) say("line " + std::to_string(i) + "\r\n");
  EXPECT_EQ(console_->last_lines(), "line 95 / line 96 / line 97 / line 98 / line 99");
}

TEST_F(ConsoleTest, ShowsWhatLedToAPanicAndNotTheRegisters) {
  say("sandbox-init: no disk\nKernel panic - not syncing: Attempted to kill init!\nRAX: 0\nRBX: 1\n");
  EXPECT_EQ(console_->panic(), "Kernel panic - not syncing: Attempted to kill init!");
  EXPECT_EQ(console_->last_lines(), "sandbox-init: no disk / Kernel panic - not syncing: Attempted to kill init!");
}

TEST_F(ConsoleTest, DoesNotLetTheGuestDriveATerminal) {
  say("\x1b[2J\x1b]0;owned\x07gone\n");
  EXPECT_EQ(console_->last_lines().find('\x1b'), std::string::npos);
}

TEST_F(ConsoleTest, NeverGrowsBeyondItsBound) {
  const std::string line(64u << 10, 'x');
  for (int i = 0; i < 600; ++i) say(line);
  struct stat info {};
  ASSERT_EQ(::stat(path().c_str(), &info), 0);
  EXPECT_LE(info.st_size, 17 << 20);
}

TEST_F(ConsoleTest, WithNothingSaidThereIsNothingToShow) {
  EXPECT_EQ(console_->last_lines(), "");
  EXPECT_EQ(console_->panic(), "");
}

}  // namespace
}  // namespace sbx::shim
