// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/output_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::shim {
namespace {

class OutputLogTest : public ::testing::Test {
 protected:
  OutputLog open() { return OutputLog(*open_path(path_, O_RDWR | O_CREAT | O_APPEND, 0600)); }

  sbx::testing::TemporaryDirectory directory_;
  std::string path_ = directory_ / "output.log";
};

TEST_F(OutputLogTest, IsBoundedAndItsNumbersGoOn) {
  OutputLog log = open();
  EXPECT_EQ(log.end(), 0);
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 16; ++i) log.append(piece);
  EXPECT_EQ(log.end(), 16 << 20);
  log.append("more");
  EXPECT_EQ(log.end(), (16 << 20) + 4);
  EXPECT_EQ(*read_file(path_), "[sandbox: 16777216 bytes of earlier output were dropped]\nmore");
}

TEST_F(OutputLogTest, TheNextShimGoesOnWithTheNumbers) {
  {
    OutputLog log = open();
    for (int i = 0; i < 17; ++i) log.append(std::string(1 << 20, 'x'));
  }
  OutputLog log = open();
  EXPECT_EQ(log.end(), 17 << 20);
  log.append("more");
  EXPECT_EQ(log.end(), (17 << 20) + 4);
}

}  // namespace
}  // namespace sbx::shim
