// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/sums.h"

#include <algorithm>

#include "log.h"

namespace sbx::netlog {
namespace {

using testing::allowed;
using testing::blocked;
using testing::Log;
using testing::recent;

constexpr Writer::Limits kSmallRing{.records = 500};

Record with_rule(Record record, std::string rule) {
  record.rule = std::move(rule);
  return record;
}

// As fast as they come, so that the records of earlier ones are forgotten. Returns the next id.
std::int64_t flood(Writer& writer, std::int64_t first, std::int64_t count,
                   const std::function<Record(std::int64_t)>& make) {
  for (std::int64_t at = first; at < first + count; at += 1000) {
    std::vector<Record> records;
    for (std::int64_t id = at; id < std::min(at + 1000, first + count); ++id) records.push_back(make(id));
    EXPECT_TRUE(writer.write(records));
  }
  return first + count;
}

// Made up by a guest, and all refused.
Record made_up(std::int64_t id) { return recent(blocked(id, "x" + std::to_string(id) + ".example")); }

std::int64_t hosts_with_rows(const Log& log) {
  return std::ranges::count_if(log.summaries(), [](const Summary& each) { return !each.host.empty(); });
}

bool has_record_of(const Log& log, const std::string& host) {
  return std::ranges::any_of(log.records(), [&](const Record& record) { return record.host == host; });
}

TEST(Sums, FirstLastAndCountOutliveTheRecords) {
  const Log log;
  Writer writer = log.writer(kSmallRing);
  ASSERT_TRUE(writer.write({{blocked(1, "evil.example"), blocked(2, "evil.example"), allowed(3, "good.example")}}));
  flood(writer, 10, 30'000, [](std::int64_t id) { return blocked(id, "flood.example"); });
  ASSERT_FALSE(has_record_of(log, "evil.example"));
  const Summary evil = log.summary("evil.example");
  EXPECT_EQ(evil.count, 2);
  EXPECT_EQ(evil.first_us, 1000);
  EXPECT_EQ(evil.last_us, 2000);
  EXPECT_EQ(evil.rule, "<default policy>");
  EXPECT_FALSE(evil.allowed);
  EXPECT_TRUE(log.summary("good.example").allowed);
  EXPECT_EQ(log.summary("flood.example").count, 30'000);
}

TEST(Sums, ADecisionIsCountedOnceHoweverOftenItIsTold) {
  const Log log;
  Writer writer = log.writer(kSmallRing);
  Record record = allowed(1, "example.com");
  ASSERT_TRUE(writer.write({{record, record}}));
  record.duration_us = 7;
  record.reason += "; it closed the connection";
  ASSERT_TRUE(writer.write({{record}}));
  EXPECT_EQ(log.summary("example.com").count, 1);
  EXPECT_EQ(log.summary("example.com").reason, record.reason);
  flood(writer, 10, 5000, [](std::int64_t id) { return blocked(id, "flood.example"); });
  ASSERT_TRUE(writer.write({{record}}));
  EXPECT_EQ(log.summary("example.com").count, 1) << "nor when its record is forgotten before it is over";
}

TEST(Sums, NamesThatAGuestMakesUpPushOutNothing) {
  const Log log;
  Writer writer = log.writer(kSmallRing);
  for (std::int64_t id = 1; id <= 40; id += 2)
    ASSERT_TRUE(writer.write(
        {{recent(blocked(id, "b" + std::to_string(id))), recent(allowed(id + 1, "a" + std::to_string(id)))}}));
  std::int64_t next = flood(writer, 100, 30'000, made_up);
  for (std::int64_t id = 1; id <= 40; id += 2) {
    ASSERT_TRUE(writer.write({{recent(blocked(next++, "b" + std::to_string(id)))}}));
    EXPECT_EQ(log.summary("b" + std::to_string(id)).count, 2);
    EXPECT_EQ(log.summary("b" + std::to_string(id)).first_us, recent(blocked(id, "")).time_us);
    EXPECT_EQ(log.summary("a" + std::to_string(id)).count, 1);
  }
  EXPECT_LE(log.summaries().size(), 2'600u);
  EXPECT_EQ(log.decisions(), 30'060) << "each is counted somewhere";
}

TEST(Sums, OfARuleWithTooManyNamesTheRestIsCountedTogether) {
  const Log log;
  Writer writer = log.writer({.records = 0, .sums = {.hosts = 20}});
  flood(writer, 1, 5000, made_up);
  ASSERT_TRUE(writer.write(std::vector(1001, recent(blocked(6000, "x1.example")))));
  const Summary others = log.summary("");
  EXPECT_EQ(others.rule, "<default policy>");
  EXPECT_FALSE(others.allowed);
  EXPECT_GE(others.count, 3000);
  EXPECT_EQ(others.reason, made_up(1).reason);
  EXPECT_GT(others.last_us, others.first_us);
  EXPECT_EQ(log.decisions(), 5001);
}

// Before the deed, so that there is no place left for it.
TEST(Sums, RefusedNamesLeaveAllPlacesToAllowedOnes) {
  const Log log;
  Writer writer = log.writer(kSmallRing);
  const std::int64_t next = flood(writer, 1, 5000, made_up);
  ASSERT_TRUE(writer.write({{recent(allowed(next, "deed.example"))}}));
  flood(writer, next + 1, 5000, made_up);
  ASSERT_FALSE(has_record_of(log, "deed.example"));
  EXPECT_EQ(log.summary("deed.example").count, 1);
}

TEST(Sums, NamesUnderSomeRulesLeavePlacesToNamesUnderOthers) {
  const Log log;
  Writer writer = log.writer(kSmallRing);
  std::int64_t next = 1;
  for (const char* rule : {"*.a.example", "*.b.example", "*.c.example"})
    next = flood(writer, next, 3000, [&](std::int64_t id) { return with_rule(made_up(id), rule); });
  ASSERT_TRUE(writer.write({{with_rule(recent(blocked(next++, "deed.example")), "10.0.0.0/8")}}));
  flood(writer, next, 3000, made_up);
  ASSERT_FALSE(has_record_of(log, "deed.example"));
  EXPECT_EQ(log.summary("deed.example").count, 1);
}

TEST(Sums, AHostThatWasNotSeenForAMonthMakesRoomForAnotherOfItsRule) {
  const Log log;
  Writer writer = log.writer({.records = 0, .sums = {.hosts = 2}});
  ASSERT_TRUE(writer.write({{blocked(1, "long-ago.example"), with_rule(allowed(2, "long-ago.example"), "*")}}));
  flood(writer, 10, 2000, [](std::int64_t id) { return recent(blocked(id, "new.example")); });
  EXPECT_EQ(log.summary("new.example").count, 2000);
  const Summary others = log.summary("");
  EXPECT_EQ(others.count, 1);
  EXPECT_EQ(others.first_us, 1000);
  EXPECT_TRUE(log.summary("long-ago.example").allowed) << "the rows of the other verdict are its own";
  flood(writer, 3000, 2000, [](std::int64_t id) { return recent(blocked(id, "newer.example")); });
  flood(writer, 5000, 2000, [](std::int64_t id) { return recent(blocked(id, "new.example")); });
  EXPECT_EQ(log.summary("new.example").count, 4000) << "it was seen a moment ago";
  EXPECT_EQ(log.summary("").count, 2001);
}

// Those of a shim that was taken over.
TEST(Sums, TimesThatAreMadeUpPushOutNothing) {
  const Log log;
  Writer writer = log.writer(kSmallRing);
  ASSERT_TRUE(writer.write({{recent(blocked(1, "deed.example"))}}));
  flood(writer, 10, 5000, [](std::int64_t id) {
    Record record = made_up(id);
    record.time_us = id % 2 == 0 ? INT64_MAX - id : INT64_MIN + id;
    return record;
  });
  EXPECT_EQ(log.summary("deed.example").count, 1);
}

TEST(Sums, RulesAndNamesOfAnyNumberAndLengthTakeBoundedRoom) {
  const Log log;
  Writer writer = log.writer({.records = 0});
  flood(writer, 1, 10'000, [](std::int64_t id) {
    const std::string number = std::to_string(id);
    Record record = made_up(id);
    record.allowed = id % 2 == 0;
    record.rule = id % 3 == 0 ? std::string(4000, 'r') + number : "rule " + number;
    record.host = id % 5 == 0 ? std::string(4000, 'h') + number : "host" + number;
    record.reason = std::string(4000, 'y');
    return record;
  });
  EXPECT_EQ(log.decisions(), 10'000);
  EXPECT_LE(log.summaries().size(), 2'203u);
  auto connection = SqliteConnection::open(log.path(), SQLITE_OPEN_READONLY);
  auto size = connection->prepare("SELECT sum(length(rule) + length(host) + length(reason)) FROM summaries");
  ASSERT_TRUE(*size->step());
  EXPECT_LE(size->integer(0), 4 << 20);
}

TEST(Sums, AreAsTheyWereForTheNextWriter) {
  const Log log;
  { flood(*std::make_unique<Writer>(log.writer(kSmallRing)), 1, 5000, made_up); }
  const std::int64_t before = hosts_with_rows(log);
  { flood(*std::make_unique<Writer>(log.writer(kSmallRing)), 6000, 5000, made_up); }
  EXPECT_EQ(log.decisions(), 10'000);
  EXPECT_LE(hosts_with_rows(log), before + 1000);
}

}  // namespace
}  // namespace sbx::netlog
