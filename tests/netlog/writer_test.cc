// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/writer.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log.h"

namespace sbx::netlog {
namespace {

using testing::allowed;
using testing::blocked;
using testing::Log;

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
    auto other = Connection::open(log.path(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
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

// A disk that is full is an error, and no more than that; when there is room again, it goes on.
TEST(Writer, SurvivesAFullDisk) {
  const Log log;
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    Writer writer = log.writer();
    const rlimit little{64 << 10, RLIM_INFINITY};
    const rlimit enough{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &little);
    const bool failed = !writer.write(many(1, 5000));
    ::setrlimit(RLIMIT_FSIZE, &enough);
    ::_exit(failed && writer.write(many(1, 3)) ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(log.records().size(), 3u);
}

}  // namespace
}  // namespace sbx::netlog
