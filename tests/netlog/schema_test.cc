// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/schema.h"

#include "log.h"
#include "support/small_disk.h"

namespace sbx::netlog {
namespace {

using testing::blocked;
using testing::Log;

// A shim of the first version: what it does when it opens a log, and when it writes.
class OldWriter {
 public:
  explicit OldWriter(const Log& log)
      : connection_(*SqliteConnection::open(log.path(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) {
    EXPECT_TRUE(connection_.execute(
        "PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=OFF;"
        "BEGIN; PRAGMA application_id=0x73626e6c; PRAGMA user_version=1;"
        "CREATE TABLE IF NOT EXISTS decisions("
        " id INTEGER PRIMARY KEY, time_us INTEGER NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL,"
        " path INTEGER NOT NULL, allowed INTEGER NOT NULL, method TEXT NOT NULL, url_path TEXT NOT NULL,"
        " rule TEXT NOT NULL, reason TEXT NOT NULL, status INTEGER NOT NULL, sent INTEGER NOT NULL,"
        " received INTEGER NOT NULL, duration_us INTEGER NOT NULL); COMMIT"));
  }
  void write(std::int64_t first, std::int64_t count, const std::string& host) {
    EXPECT_TRUE(connection_.execute("BEGIN"));
    for (std::int64_t id = first; id < first + count; ++id) {
      auto insert = connection_.prepare(
          "INSERT INTO decisions VALUES(?1, ?1 * 1000, ?2, 443, 0, 0, '', '', 'the rule', 'the reason', 0, 0, 0, 0)");
      insert->bind(1, id);
      insert->bind(2, host);
      EXPECT_TRUE(insert->run());
    }
    EXPECT_TRUE(connection_.execute("COMMIT"));
  }

 private:
  SqliteConnection connection_;
};

std::int64_t version_of(const Log& log) {
  return *schema_version(*SqliteConnection::open(log.path(), SQLITE_OPEN_READONLY));
}

TEST(Schema, OfTheFirstVersionIsTakenOver) {
  const Log log;
  OldWriter(log).write(1, 5000, "old.example");
  ASSERT_TRUE(log.writer({.records = 0}).write({{blocked(6000, "new.example")}}));
  EXPECT_FALSE(exists(log.beside(".damaged")));
  EXPECT_EQ(version_of(log), 2);
  EXPECT_LE(log.records().size(), 1u);
  const Summary old = log.summary("old.example");
  EXPECT_EQ(old.count, 5000);
  EXPECT_EQ(old.first_us, 1000);
  EXPECT_EQ(old.last_us, 5'000'000);
  EXPECT_EQ(old.rule, "the rule");
  EXPECT_EQ(old.reason, "the reason");
  EXPECT_EQ(log.summary("new.example").count, 1);
}

// The daemon is newer than the shim of a sandbox that runs.
TEST(Schema, OfTheFirstVersionIsReadWhileItIsWritten) {
  const Log log;
  OldWriter old(log);
  old.write(1, 3, "a.example");
  EXPECT_EQ(log.records().size(), 3u);
  EXPECT_EQ(log.summary("a.example").count, 3);
  EXPECT_FALSE(*log.database().losses());
  old.write(4, 2, "a.example");
  EXPECT_EQ(log.summary("a.example").count, 5);
}

// An older version was installed again for a while.
TEST(Schema, WhatAnOlderWriterAddsIsReadAndLaterCountedOnce) {
  const Log log;
  ASSERT_TRUE(log.writer().write({{blocked(1, "a.example"), blocked(2, "a.example"), blocked(3, "b.example")}}));
  OldWriter(log).write(4, 3, "a.example");
  EXPECT_EQ(log.records().size(), 6u);
  EXPECT_EQ(log.decisions(), 6);
  { ASSERT_TRUE(log.writer().write({{blocked(10, "b.example")}})); }
  EXPECT_EQ(log.summary("b.example").count, 2);
  EXPECT_EQ(log.decisions(), 7);
}

TEST(Schema, OfTheFirstVersionStaysAsItIsWhileThereIsNoRoomToTakeItOver) {
  const Log log;
  const sbx::testing::SmallDisk disk(log.directory(), 4 << 20);
  if (!disk.mounted()) GTEST_SKIP() << "only root can mount a small file system";
  OldWriter(log).write(1, 100, "old.example");
  disk.fill();
  ASSERT_FALSE(Writer::open(log.path()));
  EXPECT_FALSE(exists(log.beside(".damaged")));
  EXPECT_EQ(log.summary("old.example").count, 100);
  disk.give_back();
  EXPECT_TRUE(Writer::open(log.path()));
  EXPECT_EQ(version_of(log), 2);
  EXPECT_EQ(log.summary("old.example").count, 100);
}

}  // namespace
}  // namespace sbx::netlog
