// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/checkpoint.h"

#include <gtest/gtest.h>

namespace sbx::agentloop {
namespace {

class LyingWorld final : public World {
 public:
  explicit LyingWorld(std::string said) : said_(std::move(said)) {}
  Result<TurnResult> run(const Turn&, const OnPiece&, const IsCancelled&) override { return TurnResult{}; }
  Result<Answer> ask(const std::vector<std::string>&, const std::string&, std::string_view) override {
    return Answer{0, said_, ""};
  }
  std::string kept() const override { return "/kept"; }

 private:
  std::string said_;
};

const std::string kId(40, 'a');

Result<Checkpoint> made_of(const std::string& said) {
  LyingWorld world(said);
  return Checkpoints(world, "loop", "/work").make(1, "");
}

TEST(CheckpointsTest, NamesAreTheFirstFifty) {
  const auto made = made_of(kId + " " + kId + " 2\nadd 'a'\nremove 'b c'\n");
  ASSERT_TRUE(made) << made.error().what();
  EXPECT_EQ(made->changed, 2);
  EXPECT_EQ(made->files, (std::vector<std::string>{"a", "b c"}));
}

TEST(CheckpointsTest, AFloodOfLinesAndALongOneAreCut) {
  const auto many = made_of(kId + " " + kId + " 1\n" + std::string(1 << 20, '\n') + "x");
  ASSERT_TRUE(many);
  EXPECT_EQ(many->files.size(), 50u);
  const auto longest = made_of(kId + " " + kId + " 1\nadd '" + std::string(1 << 20, 'x') + "'\n");
  ASSERT_TRUE(longest);
  EXPECT_EQ(longest->files.front().size(), 512u);
}

TEST(CheckpointsTest, OnlyObjectIdsOfGitAreTaken) {
  EXPECT_TRUE(made_of(std::string(64, 'b') + " " + std::string(64, 'b') + " 0\n"));
  EXPECT_FALSE(made_of(std::string(41, 'a') + " " + kId + " 0\n"));
  EXPECT_FALSE(made_of(kId + " " + std::string(1 << 20, 'a') + " 0\n"));
  EXPECT_FALSE(made_of(""));
}

}  // namespace
}  // namespace sbx::agentloop
