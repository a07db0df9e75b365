// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/context.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::agentloop {
namespace {

class ContextTest : public ::testing::Test {
 protected:
  std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  }

  testing::TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/context.md";
  const std::string taken_ = directory_.path() + "/taken";
};

TEST_F(ContextTest, IsTakenOnce) {
  EXPECT_EQ(take_context(path_, taken_).value(), "");
  ASSERT_TRUE(add_context(path_, "one") && add_context(path_, "two"));
  const std::string text = take_context(path_, taken_).value();
  EXPECT_TRUE(text.starts_with("# Ralph Loop Context\n"));
  EXPECT_EQ(count(text, "# Ralph Loop Context"), 1u);
  EXPECT_LT(text.find("one"), text.find("two"));
  EXPECT_FALSE(exists(path_));
}

TEST_F(ContextTest, OfALoopThatDiedIsThereAgain) {
  ASSERT_TRUE(add_context(path_, "one") && take_context(path_, taken_) && add_context(path_, "two"));
  const std::string text = take_context(path_, taken_).value();
  EXPECT_NE(text.find("one"), std::string::npos);
  EXPECT_NE(text.find("two"), std::string::npos);
}

TEST_F(ContextTest, IsLeftWhereItIsWhileWhatWasTakenCannotBeRead) {
  ASSERT_TRUE(add_context(path_, "one"));
  ASSERT_TRUE(make_directories(taken_, 0700));
  EXPECT_FALSE(take_context(path_, taken_));
  ASSERT_TRUE(remove_tree(taken_));
  EXPECT_EQ(count(take_context(path_, taken_).value(), "one"), 1u);
}

TEST_F(ContextTest, StaysReadableHoweverOftenItsLoopDies) {
  const std::string much(900u << 10, 'x');
  for (const char* word : {"one", "two", "three"}) {
    ASSERT_TRUE(add_context(path_, word + much));
    ASSERT_TRUE(take_context(path_, taken_)) << word;
  }
  ASSERT_TRUE(remove_file(taken_));
  EXPECT_EQ(count(take_context(path_, taken_).value(), "three"), 1u);
}

TEST_F(ContextTest, IsNotLostToOneWhoTakesMeanwhile) {
  constexpr int kEach = 200;
  std::vector<std::thread> adders;
  for (int thread = 0; thread < 4; ++thread)
    adders.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) ASSERT_TRUE(add_context(path_, "a-word"));
    });
  std::string all;
  for (int i = 0; i < 100; ++i) {
    all += take_context(path_, taken_).value();
    ASSERT_TRUE(remove_file(taken_));
  }
  for (std::thread& adder : adders) adder.join();
  all += take_context(path_, taken_).value();
  EXPECT_EQ(count(all, "a-word"), 4u * kEach);
}

}  // namespace
}  // namespace sbx::agentloop
