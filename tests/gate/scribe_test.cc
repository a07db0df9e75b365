// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/scribe.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "netlog/database.h"
#include "support/small_disk.h"
#include "support/temporary_directory.h"

namespace sbx::gate {
namespace {

using netlog::Losses;

std::vector<netlog::Record> refusals(std::int64_t first, std::int64_t count) {
  std::vector<netlog::Record> records(static_cast<std::size_t>(count));
  for (netlog::Record& record : records) {
    record.id = first++;
    record.time_us = record.id * 1000;
    record.host = "refused.example";
    record.rule = "<default policy>";
  }
  return records;
}

class ScribeOnADisk : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(make_directories(state_ / netlog::kLogDirectory)); }

  std::string path() const { return state_ / netlog::kLogDirectory + "/" + netlog::kLogFile; }
  std::unique_ptr<Scribe> start() { return std::move(*Scribe::create(*loop_, path())); }
  void write(Scribe& scribe, std::int64_t first, std::int64_t count) {
    scribe.write(refusals(first, count));
    settle(scribe);
  }
  void settle(Scribe& scribe) {
    scribe.when_written([this] { loop_->stop(); });
    ASSERT_TRUE(loop_->run());
  }
  std::int64_t decisions() const {
    const auto summaries = log_.summaries().value_or(std::vector<netlog::Summary>());
    std::int64_t sum = 0;
    for (const auto& each : summaries) sum += each.count;
    return sum;
  }

  sbx::testing::TemporaryDirectory state_;
  netlog::Database log_{state_.path()};
  std::unique_ptr<loop::Loop> loop_ = *loop::Loop::create();
};

TEST_F(ScribeOnADisk, OpensTheLogWhenItIsMade) {
  Pipe made = std::move(*make_pipe());
  auto scribe = std::move(*Scribe::create(*loop_, path(), std::move(made.read)));
  scribe->write(refusals(1, 3));
  ASSERT_TRUE(write_file(path(), ""));  // as long as there is no content, there was no writer
  EXPECT_EQ(decisions(), 0);
  made.write.reset();
  settle(*scribe);
  EXPECT_EQ(decisions(), 3);
}

TEST_F(ScribeOnADisk, WritesRefusalsDownThoughTheDiskIsFull) {
  const sbx::testing::SmallDisk disk(state_ / netlog::kLogDirectory, 4 << 20);
  if (!disk.mounted()) GTEST_SKIP() << "only root can mount a small file system";
  const auto scribe = start();
  write(*scribe, 1, 1);
  disk.fill();
  for (std::int64_t first = 2; first < 3000; first += 100) write(*scribe, first, 100);
  EXPECT_EQ(decisions(), 3001);
  EXPECT_EQ(log_.records({})->back().id, 3001);
  EXPECT_FALSE(scribe->losses());
}

TEST_F(ScribeOnADisk, KnowsWhatItCouldNotWriteAndTheLogDoesAsSoonAsItCan) {
  const sbx::testing::SmallDisk disk(state_ / netlog::kLogDirectory, 4 << 20);
  if (!disk.mounted()) GTEST_SKIP() << "only root can mount a small file system";
  const auto scribe = start();
  write(*scribe, 1, 1);
  ASSERT_EQ(::truncate((path() + "-journal").c_str(), 0), 0);  // the room that it has for this
  disk.fill();
  write(*scribe, 2, 4);
  EXPECT_EQ(scribe->losses(), (Losses{4, 2000, 5000}));
  EXPECT_FALSE(*log_.losses());
  disk.give_back();
  write(*scribe, 6, 1);
  EXPECT_EQ(*log_.losses(), (Losses{4, 2000, 5000}));
  EXPECT_EQ(decisions(), 2);
}

TEST_F(ScribeOnADisk, CountsAlsoWhatItHasNoFileFor) {
  ASSERT_TRUE(remove_tree(state_ / netlog::kLogDirectory));
  const auto scribe = start();
  write(*scribe, 1, 3);
  EXPECT_EQ(scribe->losses(), (Losses{3, 1000, 3000}));
  ASSERT_TRUE(make_directories(state_ / netlog::kLogDirectory));
  write(*scribe, 4, 1);
  EXPECT_EQ(*log_.losses(), (Losses{3, 1000, 3000}));
  EXPECT_EQ(decisions(), 1);
}

TEST_F(ScribeOnADisk, NotesWhatWasLostOnTheWayThoughNothingElseComes) {
  const auto scribe = start();
  scribe->lose({7, 100, 200});
  settle(*scribe);
  EXPECT_EQ(*log_.losses(), (Losses{7, 100, 200}));
  EXPECT_EQ(scribe->losses(), (Losses{7, 100, 200}));
}

// What comes faster than it can be written is one with the other, or lost: the sum is what came.
TEST_F(ScribeOnADisk, EveryDecisionIsWrittenOrCountedAsLost) {
  const auto scribe = start();
  for (std::int64_t first = 1; first < 200'000; first += 10'000) scribe->write(refusals(first, 10'000));
  settle(*scribe);
  EXPECT_EQ(decisions() + scribe->losses().count, 200'000);
  EXPECT_EQ(*log_.losses(), scribe->losses());
}

}  // namespace
}  // namespace sbx::gate
