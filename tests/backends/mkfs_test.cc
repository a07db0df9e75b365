// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/mkfs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::backends {
namespace {

class MakeOnceTest : public ::testing::Test {
 protected:
  static Fill writing(std::string text) {
    return [text](const Fd& file, const std::string&) { return write_all(file, text); };
  }

  testing::TemporaryDirectory directory;
  std::string path = directory / "image";
};

TEST_F(MakeOnceTest, WhatIsThereIsLeftAsItIs) {
  ASSERT_TRUE(make_once(path, 0644, writing("first")));
  ASSERT_TRUE(make_once(path, 0644, writing("second")));
  EXPECT_EQ(read_file(path), "first");
  EXPECT_EQ(directory.entries(), std::vector<std::string>{"image"});
}

TEST_F(MakeOnceTest, ItHasTheModeAskedForWhateverTheUmask) {
  const mode_t old = ::umask(077);
  ASSERT_TRUE(make_once(path, 0644, writing("x")));
  ::umask(old);
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0644u);
}

TEST_F(MakeOnceTest, UntilItIsWholeItIsNotThere) {
  ASSERT_TRUE(make_once(path, 0644, [&](const Fd& file, const std::string& temporary) -> Result<> {
    EXPECT_FALSE(exists(path));
    EXPECT_EQ(temporary, path + ".tmp");
    return write_all(file, "x");
  }));
}

TEST_F(MakeOnceTest, AFailureLeavesNothing) {
  const auto failing = [](const Fd& file, const std::string&) -> Result<> {
    TRY(write_all(file, "half"));
    return fail(Code::kInternal, "why");
  };
  const auto made = make_once(path, 0644, failing);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().what(), "why");
  EXPECT_TRUE(directory.entries().empty());
}

TEST_F(MakeOnceTest, WhatADeadOneLeftIsOverwritten) {
  ASSERT_TRUE(write_file(path + ".tmp", "a long half of something"));
  ASSERT_TRUE(make_once(path, 0644, writing("whole")));
  EXPECT_EQ(read_file(path), "whole");
  EXPECT_EQ(directory.entries(), std::vector<std::string>{"image"});
}

TEST_F(MakeOnceTest, OfSeveralAtOnceOneMakesIt) {
  std::atomic<int> made = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        EXPECT_TRUE(make_once(path, 0644, [&](const Fd& file, const std::string&) {
          ++made;
          return write_all(file, "x");
        }));
      });
  }
  EXPECT_EQ(made, 1);
  EXPECT_EQ(directory.entries(), std::vector<std::string>{"image"});
}

TEST_F(MakeOnceTest, WhenOneFailsTheNextInLineMakesIt) {
  std::atomic<int> tries = 0;
  std::atomic<int> succeeded = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        const auto made = make_once(path, 0644, [&](const Fd& file, const std::string&) -> Result<> {
          if (++tries == 1) return fail(Code::kInternal, "the first");
          return write_all(file, "x");
        });
        if (made) ++succeeded;
      });
  }
  EXPECT_EQ(tries, 2);
  EXPECT_EQ(succeeded, 3);
  EXPECT_EQ(directory.entries(), std::vector<std::string>{"image"});
}

// The program may live on when its maker is killed, and would go on writing.
TEST_F(MakeOnceTest, TheProgramHoldsTheLockForAsLongAsItLives) {
  const std::string fifo = directory / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const pid_t maker = ::fork();
  if (maker == 0) {
    (void)make_once(path, 0644, [&](const Fd& file, const std::string&) {
      return run_mkfs({{"sh", "-c", "read line < \"$0\"", fifo}, "none"}, file);
    });
    ::_exit(0);
  }
  const auto program = open_path(fifo, O_WRONLY);  // waits until it runs
  ASSERT_TRUE(program);
  ASSERT_EQ(::kill(maker, SIGKILL), 0);
  ASSERT_EQ(::waitpid(maker, nullptr, 0), maker);
  const auto temporary = open_path(path + ".tmp", O_RDWR);
  ASSERT_TRUE(temporary);
  EXPECT_NE(::flock(temporary->get(), LOCK_EX | LOCK_NB), 0);
  ASSERT_TRUE(write_all(*program, "go\n"));
  EXPECT_EQ(::flock(temporary->get(), LOCK_EX), 0);  // waits for its end
}

TEST(RunMkfs, AFullDiskIsSaidPlainly) {
  const testing::TemporaryDirectory directory;
  const auto file = open_path(directory / "file", O_RDWR | O_CREAT);
  // As mkfs.ext4 says it.
  const auto ran =
      run_mkfs({{"sh", "-c", "printf 'sh: No space left on device\\n\\twhile trying\\n' >&2; exit 1"}, "none"}, *file);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().what(), "sh: No space left on device");
}

TEST(RunMkfs, SaysTheLastThingThatTheProgramSaid) {
  const testing::TemporaryDirectory directory;
  const auto file = open_path(directory / "file", O_RDWR | O_CREAT);
  const auto ran = run_mkfs({{"sh", "-c", "echo first >&2; echo the reason >&2; exit 3"}, "none"}, *file);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().what(), "sh: the reason");
  const auto silent = run_mkfs({{"sh", "-c", "exit 3"}, "none"}, *file);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().what(), "sh failed with code 3");
}

TEST(RunMkfs, AMissingProgramIsNamedWithItsPackage) {
  const auto ran = run_mkfs({{"mkfs.nonexistent"}, "some-utils"}, Fd());
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code(), Code::kUnavailable);
  EXPECT_EQ(ran.error().hint(), "sudo apt-get install some-utils");
}

}  // namespace
}  // namespace sbx::backends
