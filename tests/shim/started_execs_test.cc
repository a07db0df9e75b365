// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/started_execs.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::shim {
namespace {

wire::RequestKey key(int number) { return *wire::RequestKey::parse("key-" + std::to_string(number)); }

wire::ExecRequest detached(const std::string& program) {
  wire::ExecRequest request;
  request.command = {program};
  request.detach = true;
  return request;
}

class StartedExecsTest : public ::testing::Test {
 protected:
  // As each shim of a sandbox does in its turn.
  StartedExecs open() const { return StartedExecs(std::move(*open_path(path_, O_RDWR | O_CREAT))); }
  static bool knows(const StartedExecs& execs, int number) {
    const auto found = execs.find(key(number), detached("make"));
    return !found || *found != nullptr;
  }

  sbx::testing::TemporaryDirectory directory_;
  const std::string path_ = directory_ / "exec.keys";
};

TEST_F(StartedExecsTest, ADetachedOneIsFoundAgainWithItsAnswer) {
  StartedExecs execs = open();
  EXPECT_EQ(*execs.find(key(1), detached("make")), nullptr);
  execs.add(key(1), detached("make"))->answer = "the pid";
  const auto again = execs.find(key(1), detached("make"));
  ASSERT_TRUE(again);
  ASSERT_NE(*again, nullptr);
  EXPECT_EQ((*again)->answer, "the pid");
  EXPECT_EQ(*execs.find(key(2), detached("make")), nullptr);
}

TEST_F(StartedExecsTest, OneWithAClientIsNeverGivenToAnother) {
  StartedExecs execs = open();
  wire::ExecRequest attached = detached("make");
  attached.detach = false;
  execs.add(key(1), attached);
  const auto again = execs.find(key(1), attached);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), Code::kConflict);
  EXPECT_EQ(again.error().what(), "the command was already started");
}

TEST_F(StartedExecsTest, AKeyOfAnotherRequestIsAConflict) {
  StartedExecs execs = open();
  execs.add(key(1), detached("make"));
  const auto other = execs.find(key(1), detached("rm"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), Code::kConflict);
  EXPECT_NE(other.error().what().find("key-1 was already used for another command"), std::string::npos);
}

TEST_F(StartedExecsTest, TheNextShimKnowsThatItWasStarted) {
  open().add(key(1), detached("make"));
  const StartedExecs next = open();
  const auto again = next.find(key(1), detached("make"));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), Code::kConflict);
  EXPECT_NE(again.error().what().find("the sandbox has ended since"), std::string::npos);
  EXPECT_FALSE(knows(next, 2));
}

TEST_F(StartedExecsTest, TheOldestGoesWhenThereAreTooMany) {
  constexpr int kMost = StartedExecs::kMost;
  StartedExecs execs = open();
  for (int i = 0; i <= kMost; ++i) execs.add(key(i), detached("make"));
  EXPECT_FALSE(knows(execs, 0));
  EXPECT_TRUE(knows(execs, 1));
  EXPECT_TRUE(knows(execs, kMost));
  EXPECT_LE(read_file(path_)->size(), 100u * kMost);
}

TEST_F(StartedExecsTest, AlsoOverSeveralRunsTheOldestGoesFirst) {
  constexpr int kMost = StartedExecs::kMost;
  {
    StartedExecs first = open();
    for (int i = 0; i < kMost + 10; ++i) first.add(key(i), detached("make"));
  }
  open().add(key(kMost + 10), detached("make"));
  const StartedExecs third = open();
  EXPECT_FALSE(knows(third, 10));
  EXPECT_TRUE(knows(third, 11));
  EXPECT_TRUE(knows(third, kMost + 9));
  EXPECT_TRUE(knows(third, kMost + 10));
}

TEST_F(StartedExecsTest, AGarbledFileIsAnEmptyOne) {
  ASSERT_TRUE(replace_file(path_, "\0\xff not a line\n" + std::string(300, 'x') + "\n\n"));
  StartedExecs execs = open();
  execs.add(key(1), detached("make"));
  EXPECT_TRUE(knows(execs, 1));
  EXPECT_TRUE(knows(open(), 1));
}

TEST_F(StartedExecsTest, WithoutAFileThisShimStillKnows) {
  StartedExecs execs{Fd()};
  execs.add(key(1), detached("make"));
  EXPECT_TRUE(knows(execs, 1));
}

}  // namespace
}  // namespace sbx::shim
