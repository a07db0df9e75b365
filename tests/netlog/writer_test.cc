// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/writer.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log.h"
#include "support/small_disk.h"

namespace sbx::netlog {
namespace {

using testing::allowed;
using testing::blocked;
using testing::Log;
using testing::recent;

std::vector<Record> many(std::int64_t first, std::int64_t count) {
  std::vector<Record> records;
  for (std::int64_t id = first; id < first + count; ++id) records.push_back(blocked(id, "a.example"));
  return records;
}

TEST(Writer, GivesARecordItsEndAndChangesNothingElseOfIt) {
  const Log log;
  Writer writer = log.writer();
  ASSERT_TRUE(writer.write({{allowed(1, "example.com")}}));
  Record end = blocked(1, "elsewhere.example");
  end.status = 200;
  end.sent = 5;
  end.received = 6;
  end.duration_us = 7;
  ASSERT_TRUE(writer.write({{end}}));
  Record expected = allowed(1, "example.com");
  ASSERT_NE(end.reason, expected.reason);
  expected.status = 200;
  expected.sent = 5;
  expected.received = 6;
  expected.duration_us = 7;
  EXPECT_EQ(log.records(), std::vector<Record>{expected});
  end.received = 8;
  ASSERT_TRUE(writer.write({{end}}));
  EXPECT_EQ(log.records(), std::vector<Record>{expected}) << "what is over stays as it was";
}

TEST(Writer, AnEndMayAddToTheReason) {
  const Log log;
  Writer writer = log.writer();
  Record record = allowed(1, "example.com");
  ASSERT_TRUE(writer.write({{record}}));
  record.reason += "; it closed the connection";
  record.duration_us = 7;
  ASSERT_TRUE(writer.write({{record}}));
  EXPECT_EQ(log.records(), std::vector<Record>{record});
}

TEST(Writer, GoesOnWhereAnotherStopped) {
  const Log log;
  { ASSERT_TRUE(log.writer().write(many(1, 10))); }
  { ASSERT_TRUE(log.writer().write(many(11, 10))); }
  EXPECT_EQ(log.records().size(), 20u);
  EXPECT_FALSE(exists(log.beside(".damaged")));
}

TEST(Writer, ForgetsTheOldestRecordsBeyondItsLimit) {
  const Log log;
  Writer writer = log.writer({.records = 500});
  for (std::int64_t first = 1; first < 10'000; first += 100) ASSERT_TRUE(writer.write(many(first, 100)));
  const auto records = log.records();
  EXPECT_GE(records.size(), 500u);
  EXPECT_LE(records.size(), 1500u);
  EXPECT_EQ(records.back().id, 10'000);
}

TEST(Writer, ForgetsTheOldestRecordsBeyondItsBytes) {
  const Log log;
  Writer writer = log.writer({.bytes = 256 << 10});
  for (std::int64_t id = 1; id <= 1000; ++id) {
    Record record = allowed(id, "example.com");
    record.url_path = std::string(4000, 'p');
    ASSERT_TRUE(writer.write({{record}})) << id;
  }
  struct stat info {};
  ASSERT_EQ(::stat(log.path().c_str(), &info), 0);
  EXPECT_LE(info.st_size, 256 << 10);
  const auto records = log.records();
  EXPECT_GE(records.size(), 20u);
  EXPECT_EQ(records.back().id, 1000);
}

TEST(Writer, SetsADamagedFileAside) {
  const Log log;
  ASSERT_TRUE(write_file(log.path(), std::string(8192, 'x')));
  ASSERT_TRUE(log.writer().write(many(1, 3)));
  EXPECT_EQ(log.records().size(), 3u);
  EXPECT_EQ(*read_file(log.beside(".damaged")), std::string(8192, 'x'));
}

TEST(Writer, SetsAsideAFileWithATornPage) {
  const Log log;
  { ASSERT_TRUE(log.writer().write(many(1, 1000))); }
  std::string content = *read_file(log.path());
  content.replace(3 * 4096, 4096, 4096, '\xff');
  ASSERT_TRUE(write_file(log.path(), content));
  ASSERT_TRUE(log.writer().write(many(1, 3)));
  EXPECT_EQ(log.records().size(), 3u);
}

TEST(Writer, SetsAsideAFileWithOtherTables) {
  const Log log;
  {
    auto other = SqliteConnection::open(log.path(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    ASSERT_TRUE(other->execute("CREATE TABLE decisions(a)"));
  }
  ASSERT_TRUE(log.writer().write(many(1, 3)));
  EXPECT_EQ(log.records().size(), 3u);
}

TEST(Writer, BeginsAnewWhenTheFileIsDamagedUnderIt) {
  const Log log;
  Writer writer = log.writer();
  ASSERT_TRUE(writer.write(many(1, 1000)));
  const std::string content = *read_file(log.path());
  ASSERT_TRUE(write_file(log.path(), std::string(content.size(), 'x')));
  ASSERT_TRUE(writer.write(many(2000, 3)));
  EXPECT_EQ(log.records().size(), 3u);
}

// What is written and what is lost is all there was; when there is room again, it goes on.
TEST(Writer, CountsWhatAFileThatMayNotGrowHasNoRoomFor) {
  const Log log;
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    Writer writer = log.writer();
    const rlimit little{64 << 10, RLIM_INFINITY};
    const rlimit enough{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &little);
    (void)writer.write(many(1, 5000));
    ::setrlimit(RLIMIT_FSIZE, &enough);
    const bool counted = log.decisions() + writer.losses().count == 5000;
    ::_exit(counted && writer.write(many(6000, 3)) ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(log.records().back().id, 6002);
  EXPECT_EQ(log.decisions() + log.database().losses()->count, 5003);
}

std::int64_t bytes_on_disk(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_blocks * 512 : 0;
}

TEST(Writer, HasItsRoomBeforeThereIsAnythingToWriteAndNoMoreThanAThousandSandboxesCanHave) {
  const Log log;
  const Writer writer = log.writer();
  const std::int64_t file = bytes_on_disk(log.path());
  const std::int64_t journal = bytes_on_disk(log.beside("-journal"));
  EXPECT_GE(file, 256 << 10);
  EXPECT_GE(journal, 128 << 10);
  EXPECT_LE(file + journal, 512 << 10);
}

// A log on a disk that others fill.
class FullDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!disk.mounted()) GTEST_SKIP() << "only root can mount a small file system";
  }
  // As on a file system that keeps no room for what it is about to overwrite.
  void take_the_room_away() const {
    ASSERT_EQ(::truncate(log.beside("-journal").c_str(), 0), 0);
    disk.fill();
  }

  const Log log;
  const sbx::testing::SmallDisk disk{log.directory(), 8 << 20};
};

TEST_F(FullDisk, GetsNewRecordsInThePlaceOfTheOldest) {
  Writer writer = log.writer();
  ASSERT_TRUE(writer.write(many(1, 10)));
  disk.fill();
  for (std::int64_t first = 11; first < 5000; first += 10)
    if (const auto written = writer.write(many(first, 10)); !written) FAIL() << first << ": " << written.error().what();
  const auto records = log.records();
  EXPECT_EQ(records.back().id, 5000);
  EXPECT_GE(records.size(), 500u);
  EXPECT_EQ(log.decisions(), 5000);
  EXPECT_FALSE(writer.losses());
}

TEST_F(FullDisk, GetsTheNewestOfMoreThanItHasRoomFor) {
  Writer writer = log.writer();
  disk.fill();
  ASSERT_TRUE(writer.write(many(1, 20'000)));
  EXPECT_EQ(log.records().back().id, 20'000);
  EXPECT_EQ(log.decisions(), 20'000);
}

TEST_F(FullDisk, OfALargeLogForgetsAsManyAsItHasRoomToUndo) {
  Writer writer = log.writer();
  ASSERT_TRUE(writer.write(many(1, 30'000)));
  disk.fill();
  for (std::int64_t first = 30'001; first < 40'000; first += 500) ASSERT_TRUE(writer.write(many(first, 500)));
  const auto records = log.records();
  EXPECT_EQ(records.back().id, 40'000);
  EXPECT_GE(records.size(), 20'000u);
  EXPECT_EQ(log.decisions(), 40'000);
}

TEST_F(FullDisk, GetsNamesThatAreMadeUpWithoutLosingOne) {
  Writer writer = log.writer();
  disk.fill();
  std::vector<Record> records;
  for (std::int64_t id = 1; id <= 20'000; ++id)
    records.push_back(recent(blocked(id, std::string(200, 'x') + std::to_string(id) + ".example")));
  ASSERT_TRUE(writer.write(records));
  EXPECT_EQ(log.decisions(), 20'000);
  EXPECT_FALSE(writer.losses());
}

TEST_F(FullDisk, CountsWhatItCannotWriteAndTellsWhenItCan) {
  Writer writer = log.writer();
  ASSERT_TRUE(writer.write(many(1, 10)));
  take_the_room_away();
  ASSERT_FALSE(writer.write(many(11, 3)));
  ASSERT_FALSE(writer.write(many(14, 2)));
  EXPECT_EQ(writer.losses(), (Losses{5, 11'000, 15'000}));
  EXPECT_EQ(log.records().size(), 10u) << "what was there is not given up for what cannot be written";
  EXPECT_FALSE(*log.database().losses());
  disk.give_back();
  ASSERT_TRUE(writer.write(many(16, 1)));
  EXPECT_EQ(*log.database().losses(), (Losses{5, 11'000, 15'000}));
  EXPECT_EQ(log.writer().losses(), (Losses{5, 11'000, 15'000})) << "also to the next writer";
}

TEST_F(FullDisk, WithoutRoomForAnythingLosesAFloodQuickly) {
  Writer writer = log.writer();
  take_the_room_away();
  for (std::int64_t first = 1; first < 100'000; first += 10'000) ASSERT_FALSE(writer.write(many(first, 10'000)));
  EXPECT_EQ(writer.losses(), (Losses{100'000, 1000, 100'000'000}));
}

TEST_F(FullDisk, TheEndOfWhatIsInTheLogIsNoDecisionThatIsLost) {
  Writer writer = log.writer();
  Record record = allowed(1, "example.com");
  ASSERT_TRUE(writer.write({{record}}));
  take_the_room_away();
  record.duration_us = 5;
  EXPECT_FALSE(writer.write({{record}}));
  EXPECT_FALSE(writer.losses());
}

TEST_F(FullDisk, ThatHasRoomAgainHasItForTheLogFirst) {
  { const Writer first = log.writer(); }
  take_the_room_away();
  Writer writer = log.writer();
  ASSERT_FALSE(writer.write(many(1, 1)));
  disk.give_back();
  ASSERT_TRUE(writer.write(many(2, 1)));
  disk.fill();
  EXPECT_TRUE(writer.write(many(3, 5000)));
  EXPECT_EQ(log.records().back().id, 5002);
}

TEST(Writer, CountsWhatWasLostOnTheWay) {
  const Log log;
  Writer writer = log.writer();
  writer.lose({7, 100, 200});
  ASSERT_TRUE(writer.write({}));
  writer.lose({1, 50, 60});
  ASSERT_TRUE(writer.write({}));
  EXPECT_EQ(*log.database().losses(), (Losses{8, 50, 200}));
}

TEST(Writer, KeepsTheCountOfWhatIsLostWhenTheFileIsBegunAnew) {
  const Log log;
  Writer writer = log.writer();
  writer.lose({7, 100, 200});
  ASSERT_TRUE(writer.write(many(1, 1000)));
  const std::string content = *read_file(log.path());
  ASSERT_TRUE(write_file(log.path(), std::string(content.size(), 'x')));
  ASSERT_TRUE(writer.write(many(2000, 3)));
  EXPECT_EQ(*log.database().losses(), (Losses{7, 100, 200}));
}

}  // namespace
}  // namespace sbx::netlog
