// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/processors.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

class Processors : public ::testing::Test {
 protected:
  void add(int number, const char* state) {
    ASSERT_TRUE(make_directories(directory(number), 0755));
    ASSERT_TRUE(write_file(switch_of(number), state));
  }
  std::string state(int number) const { return read_file(switch_of(number)).value_or("none"); }
  std::string directory(int number) const { return place_.path() + "/cpu" + std::to_string(number); }
  std::string switch_of(int number) const { return directory(number) + "/online"; }

  testing::TemporaryDirectory place_;
};

TEST_F(Processors, ThatDoNotRunAreStarted) {
  add(1, "0\n");
  add(2, "0\n");
  ASSERT_TRUE(start_processors(place_.path()));
  EXPECT_EQ(state(1), "1");
  EXPECT_EQ(state(2), "1");
}

TEST_F(Processors, ThatRunAreLeftAlone) {
  add(1, "1\n");
  add(2, "0\n");
  ASSERT_TRUE(start_processors(place_.path()));
  EXPECT_EQ(state(1), "1\n");
  EXPECT_EQ(state(2), "1");
}

TEST_F(Processors, OfAMachineWithOneAreNoError) {
  ASSERT_TRUE(make_directories(directory(0), 0755));
  EXPECT_TRUE(start_processors(place_.path()));
  EXPECT_EQ(state(0), "none");
  EXPECT_EQ(state(1), "none");
}

}  // namespace
}  // namespace sbx::guest
