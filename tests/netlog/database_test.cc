// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/database.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log.h"

namespace sbx::netlog {
namespace {

using testing::allowed;
using testing::blocked;
using testing::Ids;
using testing::ids;
using testing::Log;

TEST(Database, ThatNobodyHasWrittenIsEmpty) {
  const Log log;
  EXPECT_TRUE(log.records().empty());
  ASSERT_TRUE(write_file(log.path(), ""));
  EXPECT_TRUE(log.records().empty());
  EXPECT_TRUE(log.database().summaries()->empty());
}

TEST(Database, GivesBackWhatWasWritten) {
  const Log log;
  Writer writer = log.writer();
  Record record = allowed(7, "example.com");
  record.path = Path::kTransparent;
  record.status = 200;
  record.sent = 10;
  record.received = UINT64_C(10) << 30;
  record.duration_us = 1234;
  ASSERT_TRUE(writer.write({{record}}));
  EXPECT_EQ(log.records(), std::vector<Record>{record});
}

TEST(Database, ReadsAfterAnIdTheNewestOnesAndRefusalsOnly) {
  const Log log;
  Writer writer = log.writer();
  ASSERT_TRUE(writer.write({{blocked(1, "a"), allowed(2, "b"), blocked(3, "c"), allowed(4, "d"), blocked(5, "e")}}));
  EXPECT_EQ(ids(log.records()), (Ids{1, 2, 3, 4, 5}));
  EXPECT_EQ(ids(log.records({.after = 2})), (Ids{3, 4, 5}));
  EXPECT_EQ(ids(log.records({.newest = 2})), (Ids{4, 5}));
  EXPECT_EQ(ids(log.records({.blocked_only = true})), (Ids{1, 3, 5}));
  EXPECT_EQ(ids(log.records({.after = 1, .blocked_only = true, .newest = 1})), (Ids{5}));
}

TEST(Database, SumsUpByHostPortWayAndRule) {
  const Log log;
  Writer writer = log.writer();
  Record newest = blocked(4, "a.example");
  newest.reason = "its address is in a blocked range: 10.0.0.1";
  Record other_port = blocked(5, "a.example");
  other_port.port = 80;
  ASSERT_TRUE(
      writer.write({{blocked(1, "a.example"), allowed(2, "a.example"), blocked(3, "a.example"), newest, other_port}}));
  const auto sums = log.database().summaries();
  ASSERT_TRUE(sums);
  ASSERT_EQ(sums->size(), 3u);
  EXPECT_EQ((*sums)[0].port, 80);
  const Summary& sum = (*sums)[1];
  EXPECT_EQ(sum.host, "a.example");
  EXPECT_EQ(sum.port, 443);
  EXPECT_FALSE(sum.allowed);
  EXPECT_EQ(sum.count, 3);
  EXPECT_EQ(sum.first_us, 1000);
  EXPECT_EQ(sum.last_us, 4000);
  EXPECT_EQ(sum.reason, newest.reason);
  EXPECT_TRUE((*sums)[2].allowed);
  EXPECT_EQ(log.database().summaries(true)->size(), 2u);
}

// There are too many, and only some have a row: the others are known as long as there are records of them.
TEST(Database, SumsUpNamesWithoutARowByTheirRecords) {
  const Log log;
  Writer writer = log.writer({.sums = {.hosts = 4}});
  for (std::int64_t id = 1; id <= 10; ++id)
    ASSERT_TRUE(writer.write({{testing::recent(blocked(id, "x" + std::to_string(id) + ".example"))}}));
  EXPECT_EQ(log.summaries().size(), 10u);
  EXPECT_EQ(log.summaries().front().host, "x10.example");
  EXPECT_EQ(log.summary("").count, 0) << "all of them have a name";
  EXPECT_EQ(log.decisions(), 10);
  EXPECT_EQ(log.database().summaries(true)->size(), 10u);
}

TEST(Database, OfAFloodIsSummedUpInALittleText) {
  const Log log;
  Writer writer = log.writer();
  std::vector<Record> records;
  for (std::int64_t id = 1; id <= 20'000; ++id)
    records.push_back(testing::recent(blocked(id, "x" + std::to_string(id) + ".example")));
  ASSERT_TRUE(writer.write(records));
  EXPECT_LE(log.summaries().size(), 1'600u);
  EXPECT_EQ(log.decisions(), 20'000);
}

TEST(Database, IsReadWhileAWriterHasItOpen) {
  const Log log;
  Writer writer = log.writer();
  for (std::int64_t id = 1; id <= 50; ++id) {
    ASSERT_TRUE(writer.write({{blocked(id, "a.example")}}));
    ASSERT_EQ(log.records().size(), static_cast<std::size_t>(id));
  }
}

// Writes record after record, and a byte for each, until it is killed.
pid_t fork_writer(const Log& log, std::int64_t first, const Fd& progress) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  auto writer = Writer::open(log.path());
  for (std::int64_t id = first; writer && writer->write({{blocked(id, "a.example")}}); ++id)
    (void)!::write(progress.get(), "x", 1);
  ::_exit(1);
}

// Whatever is in the middle of being written when the writer is killed: what it has said is there afterwards.
TEST(Database, LosesNothingThatWasWrittenWhenItsWriterIsKilled) {
  const Log log;
  std::size_t written = 0;
  for (int round = 0; round < 20; ++round) {
    const Pipe progress = *make_pipe();
    const pid_t child = fork_writer(log, 1 + 1'000'000 * round, progress.write);
    char seen = 0;
    for (int i = 0; i <= round; ++i, ++written) ASSERT_EQ(::read(progress.read.get(), &seen, 1), 1);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto at_once = log.database().records({});
    EXPECT_TRUE(at_once || at_once.error().code() == Code::kInvalid) << at_once.error().what();
    ASSERT_TRUE(Writer::open(log.path()));
    ASSERT_GE(log.records().size(), written);
  }
  EXPECT_FALSE(exists(log.beside(".damaged")));
}

TEST(Database, CutOffInTheMiddleOfAWriteIsReadAsItIs) {
  const Log log;
  { ASSERT_TRUE(log.writer().write({{blocked(1, "a.example")}})); }
  // The journal of a write that was not finished: it names one page, which is as it was.
  const std::string page = read_file(log.path())->substr(0, 4096);
  std::string journal("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7\xff\xff\xff\xff\0\0\0\0\0\0\0\2\0\0\2\0\0\0\x10\0", 28);
  journal.resize(512, '\0');
  ASSERT_TRUE(write_file(log.beside("-journal"), journal + std::string("\0\0\0\1", 4) + page + std::string(4, '\0')));
  EXPECT_EQ(log.records().size(), 1u);
  EXPECT_TRUE(exists(log.beside("-journal"))) << "a reader writes nothing";
}

TEST(Database, ThatIsNotOneIsAnError) {
  const Log log;
  ASSERT_TRUE(write_file(log.path(), std::string(8192, 'x')));
  const auto records = log.database().records({});
  ASSERT_FALSE(records);
  EXPECT_EQ(records.error().code(), Code::kInvalid);
}

TEST(Database, DoesNotFollowALink) {
  const Log log;
  const Log other;
  { ASSERT_TRUE(other.writer().write({{blocked(1, "a.example")}})); }
  ASSERT_EQ(::symlink(other.path().c_str(), log.path().c_str()), 0);
  EXPECT_FALSE(log.database().records({}));
}

Result<> replace_table(const Log& log, const char* statements) {
  TRY_ASSIGN(auto connection, SqliteConnection::open(log.path(), SQLITE_OPEN_READWRITE));
  return connection.execute(statements);
}

// What a gate that was taken over might leave to its reader.
TEST(Database, OfAHostileWriterRunsNothingAndMakesNoFile) {
  const Log log;
  { ASSERT_TRUE(log.writer().write({{blocked(1, "a.example")}})); }
  ASSERT_TRUE(replace_table(log, "PRAGMA journal_mode=WAL; PRAGMA wal_checkpoint(TRUNCATE)"));
  EXPECT_FALSE(log.database().records({}));
  EXPECT_FALSE(log.database().summaries());
  EXPECT_FALSE(log.database().losses());
  EXPECT_FALSE(exists(log.beside("-shm")));
  ASSERT_TRUE(replace_table(log,
                            "PRAGMA journal_mode=DELETE; ALTER TABLE decisions RENAME TO t;"
                            "CREATE VIEW decisions AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id+1 FROM n)"
                            " SELECT * FROM n, t"));
  EXPECT_FALSE(log.database().records({}));
}

TEST(Database, OfAHostileWriterWithoutItsTablesIsAnError) {
  const Log log;
  { ASSERT_TRUE(log.writer().write({{blocked(1, "a.example")}})); }
  ASSERT_TRUE(replace_table(log, "DROP TABLE summaries; DROP TABLE losses"));
  for (const Code code : {log.database().summaries().error().code(), log.database().losses().error().code()})
    EXPECT_EQ(code, Code::kInvalid);
  ASSERT_TRUE(replace_table(
      log, "CREATE TABLE losses(id, count, first_us, last_us); INSERT INTO losses VALUES(1,-5,'x',x'00')"));
  EXPECT_FALSE(*log.database().losses());
}

TEST(Database, WithANameThatAUriWouldCutOffIsReadAsItIs) {
  const sbx::testing::TemporaryDirectory directory;
  const std::string odd = directory / "a%20b?c#d";
  ASSERT_TRUE(make_directories(odd + "/network"));
  const std::string path = odd + "/network/network.db";
  {
    auto writer = Writer::open(path);
    ASSERT_TRUE(writer) << writer.error().what();
    ASSERT_TRUE(writer->write({{blocked(1, "a.example")}}));
  }
  EXPECT_EQ(Database(odd).records({})->size(), 1u);
}

}  // namespace
}  // namespace sbx::netlog
