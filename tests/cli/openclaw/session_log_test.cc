// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/openclaw/session_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <latch>
#include <thread>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::cli {
namespace {

class SessionLogTest : public ::testing::Test {
 protected:
  SessionLog log() { return std::move(SessionLog::open(home_.path(), "key").value()); }
  std::string all() { return SessionLog::read(home_.path(), "key").value(); }
  std::string file() { return home_.path() + "/logs/" + names_in(home_.path() + "/logs").front(); }
  testing::TemporaryDirectory home_;
};

TEST_F(SessionLogTest, KeepsTheFirstOfEachCommand) {
  SessionLog open = log();
  for (const char* command : {"one", "two"}) {
    open.line(command);
    open.keep(std::string(2u << 20, command[0]));
    open.keep("dropped");
  }
  const std::string text = all();
  EXPECT_EQ(text.find("dropped"), std::string::npos);
  EXPECT_NE(text.find("the rest of its output is not kept"), std::string::npos);
  EXPECT_EQ(std::ranges::count(text, '='), 4 * 3);
  EXPECT_GT(text.size(), 4u << 20);
}

TEST_F(SessionLogTest, IsPutAsideOnceByCommandsThatBeginAtTheSameTime) {
  const std::uintmax_t much = (4u << 20) + 1;
  (void)log();
  const std::string path = file();
  for (int round = 0; round < 200; ++round) {
    std::filesystem::resize_file(path, much);
    std::latch begin(2);
    std::thread other([&] {
      begin.arrive_and_wait();
      (void)log();
    });
    begin.arrive_and_wait();
    (void)log();
    other.join();
    ASSERT_EQ(std::filesystem::file_size(path + ".old"), much) << round;
  }
}

}  // namespace
}  // namespace sbx::cli
