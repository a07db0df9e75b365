// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/exec_jobs.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

namespace sbx::cli::mcp {
namespace {

class ExecJobsTest : public ::testing::Test {
 protected:
  // A command that runs until the test ends.
  Result<std::shared_ptr<ExecJob>> run() {
    ++started_;
    SocketPair pair = make_socket_pair().value();
    shims_.push_back(std::move(pair.theirs));
    return std::make_shared<ExecJob>(exchange::ExecStream({std::move(pair.ours), ""}), Fd(::eventfd(0, EFD_CLOEXEC)),
                                     "box", 1000, [](std::int64_t, int) { return Ok{}; });
  }
  Result<std::string> start() {
    return jobs_.start([this] { return run(); });
  }

  std::size_t started_ = 0;
  std::vector<Fd> shims_;
  ExecJobs jobs_;
};

TEST_F(ExecJobsTest, AreFoundByTheirIds) {
  const auto id = start();
  ASSERT_TRUE(id);
  EXPECT_TRUE(jobs_.find(*id));
  EXPECT_EQ(jobs_.find("exec-2").error().code(), Code::kNotFound);
}

TEST_F(ExecJobsTest, OneTooManyIsNotRun) {
  for (std::size_t i = 0; i < ExecJobs::kMost; ++i) ASSERT_TRUE(start());
  EXPECT_EQ(start().error().code(), Code::kConflict);
  EXPECT_EQ(started_, ExecJobs::kMost);
}

TEST_F(ExecJobsTest, OneThatDoesNotStartTakesNoPlace) {
  const auto failing = [] { return Result<std::shared_ptr<ExecJob>>(fail(Code::kNotFound, "no sandbox")); };
  for (std::size_t i = 0; i < 2 * ExecJobs::kMost; ++i) ASSERT_EQ(jobs_.start(failing).error().code(), Code::kNotFound);
  EXPECT_TRUE(start());
}

TEST_F(ExecJobsTest, OneThatHasEndedMakesRoom) {
  for (std::size_t i = 0; i < ExecJobs::kMost; ++i) ASSERT_TRUE(start());
  shims_.front().reset();
  const auto in_a_minute = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  ASSERT_TRUE(jobs_.find("exec-1").value()->wait_for_end(in_a_minute, {}));
  EXPECT_TRUE(start());
  EXPECT_FALSE(jobs_.find("exec-1"));
}

}  // namespace
}  // namespace sbx::cli::mcp
