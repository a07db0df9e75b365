// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/loop_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::agentloop {
namespace {

class LoopFilesTest : public ::testing::Test {
 protected:
  LoopFilesTest() {
    settings_.id = "a";
    settings_.agent = "claude";
    settings_.directory = "/w";
  }

  testing::TemporaryDirectory home_;
  Settings settings_;
};

TEST_F(LoopFilesTest, AreMadeOnce) {
  ASSERT_TRUE(LoopFiles::create(home_.path(), settings_));
  EXPECT_EQ(LoopFiles::create(home_.path(), settings_).error().code(), Code::kConflict);
  EXPECT_EQ(LoopFiles::ids(home_.path()), std::vector<std::string>{"a"});
  EXPECT_EQ(LoopFiles::open(home_.path(), "b").error().code(), Code::kNotFound);
  struct stat status {};
  ASSERT_EQ(::stat((home_.path() + "/loops/a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(LoopFilesTest, GiveBackWhatWasSaved) {
  settings_.prompt = "do \"it\"\n";
  settings_.environment = {{"A", "b"}};
  settings_.on_fail = OnFail::kRevert;
  auto files = LoopFiles::create(home_.path(), settings_).value();
  State state;
  state.status = Status::kRunning;
  state.current.emplace().number = 2;
  state.iterations.emplace_back().until_code = 3;
  ASSERT_TRUE(files.save(state));
  EXPECT_EQ(files.settings()->prompt, settings_.prompt);
  EXPECT_EQ(files.settings()->environment, settings_.environment);
  EXPECT_EQ(files.settings()->on_fail, OnFail::kRevert);
  const State again = files.state().value();
  EXPECT_EQ(again.status, Status::kRunning);
  EXPECT_EQ(again.current->number, 2);
  EXPECT_EQ(again.iterations.at(0).until_code, 3);
}

TEST_F(LoopFilesTest, KnowWhetherAProcessRunsTheLoop) {
  const auto files = LoopFiles::create(home_.path(), settings_).value();
  EXPECT_FALSE(files.is_run());
  auto lock = files.take_lock();
  ASSERT_TRUE(lock);
  EXPECT_TRUE(files.is_run());
  EXPECT_EQ(files.take_lock().error().code(), Code::kConflict);
  lock->reset();
  EXPECT_FALSE(files.is_run());
}

TEST_F(LoopFilesTest, AreNotLockedByThoseWhoOnlyLook) {
  const auto files = LoopFiles::create(home_.path(), settings_).value();
  ASSERT_TRUE(files.take_lock());
  std::atomic<bool> ended = false;
  const auto look = [&] {
    while (!ended) (void)files.is_run();
  };
  std::thread one(look);
  std::thread other(look);
  for (int i = 0; i < 300; ++i) {
    EXPECT_FALSE(files.is_run());
    EXPECT_TRUE(files.take_lock());
  }
  ended = true;
  one.join();
  other.join();
}

TEST_F(LoopFilesTest, AreWaitedForWhenTheirProcessIsAboutToExit) {
  auto files = LoopFiles::create(home_.path(), settings_).value();
  auto lock = files.take_lock();
  EXPECT_EQ(files.take_lock_after_end().error().code(), Code::kConflict);  // it still runs
  State state;
  state.status = Status::kEnded;
  ASSERT_TRUE(files.save(state));
  std::thread waits([&] { EXPECT_TRUE(files.take_lock_after_end()); });
  lock->reset();
  waits.join();
}

TEST_F(LoopFilesTest, KeepContextUntilAPromptHasIt) {
  auto files = LoopFiles::create(home_.path(), settings_).value();
  ASSERT_TRUE(files.add_context("words"));
  ASSERT_TRUE(files.take_context());
  EXPECT_NE(files.take_context()->find("words"), std::string::npos);  // the loop died before it had used them
  ASSERT_TRUE(files.keep_prompt(1, "prompt"));
  EXPECT_EQ(files.take_context().value(), "");
  EXPECT_EQ(files.prompt(1), "prompt");
  EXPECT_FALSE(files.prompt(2));
}

TEST_F(LoopFilesTest, SayOnceThatTheLogIsFullAndStillWhatBecameOfIterations) {
  auto files = LoopFiles::create(home_.path(), settings_).value();
  ASSERT_TRUE(write_file(files.log(), ""));
  constexpr std::uintmax_t kFull = 64u << 20;
  std::filesystem::resize_file(files.log(), kFull - 3);
  for (const char* text : {"some", " words\n", "=== iteration 2\n", "more\n", "--- the agent exited\n"})
    files.show(1, text);
  const std::string end = read_file(files.log(), 2 * kFull).value().substr(kFull - 3);
  EXPECT_EQ(end,
            "some\n=== the log is full: what the agent says is kept no more\n"
            "=== iteration 2\n--- the agent exited\n");
  for (int i = 0; i < 100; ++i) files.show(2, "===" + std::string(64u << 10, 'x') + "\n");
  EXPECT_LT(std::filesystem::file_size(files.log()), kFull + (2u << 20));
}

TEST(LoopId, IsPartOfNamesOfFilesAndRefs) {
  for (const char* id : {"a", "A_1-b", "01HZX"}) EXPECT_TRUE(is_loop_id(id)) << id;
  for (const char* id : {"", "-a", "..", "a/b", "a.b", "a b", "a\n"}) EXPECT_FALSE(is_loop_id(id)) << id;
  EXPECT_FALSE(is_loop_id(std::string(41, 'a')));
}

}  // namespace
}  // namespace sbx::agentloop
