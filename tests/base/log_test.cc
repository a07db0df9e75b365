// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/fd.h"
#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx {
namespace {

// Standard error is a file, as it is of a shim.
class BoundedLog : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = Fd(::dup(STDERR_FILENO));
    const Fd file = std::move(*open_path(path_, O_WRONLY | O_CREAT | O_APPEND));
    ASSERT_EQ(::dup2(file.get(), STDERR_FILENO), STDERR_FILENO);
    bound_log(kBound);
  }
  void TearDown() override {
    bound_log(0);
    ::dup2(before_.get(), STDERR_FILENO);
  }
  std::int64_t size() const {
    struct stat info {};
    return ::stat(path_.c_str(), &info) == 0 ? info.st_size : -1;
  }
  std::string text() const { return read_file(path_).value_or(""); }

  static constexpr std::int64_t kBound = 64 << 10;
  testing::TemporaryDirectory directory_;
  std::string path_ = directory_ / "log";
  Fd before_;
};

TEST_F(BoundedLog, NeverGrowsBeyondItsBound) {
  const std::string line(1000, 'x');
  for (int i = 0; i < 1000; ++i) {
    log_info("{}", line);
    ASSERT_LE(size(), kBound);
  }
  EXPECT_NE(text().find("bytes of earlier records were dropped"), std::string::npos);
}

TEST_F(BoundedLog, KeepsWhatIsBelowIt) {
  for (int i = 0; i < 100; ++i) log_info("line {}", i);
  EXPECT_NE(text().find("line 0\n"), std::string::npos);
  EXPECT_NE(text().find("line 99\n"), std::string::npos);
}

TEST_F(BoundedLog, WhatOthersHaveWrittenIsCutToo) {
  const Fd other = std::move(*open_path(path_, O_WRONLY | O_APPEND));
  ASSERT_TRUE(write_all(other, std::string(kBound + 1, 'q')));
  trim_log();
  EXPECT_LT(size(), 1000);
  ASSERT_TRUE(write_all(other, "and goes on\n"));
  EXPECT_TRUE(text().ends_with("and goes on\n"));
}

TEST(Log, ThatIsNoFileIsLeftAlone) {
  Pipe pipe = std::move(*make_pipe());
  const Fd before(::dup(STDERR_FILENO));
  ::dup2(pipe.write.get(), STDERR_FILENO);
  bound_log(1);
  log_info("hello");
  bound_log(0);
  ::dup2(before.get(), STDERR_FILENO);
  pipe.write.reset();
  EXPECT_TRUE(read_all(pipe.read, 1000).value_or("").ends_with("hello\n"));
}

}  // namespace
}  // namespace sbx
