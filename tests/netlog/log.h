// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "netlog/database.h"
#include "netlog/writer.h"
#include "support/temporary_directory.h"

namespace sbx::netlog::testing {

inline Record blocked(std::int64_t id, std::string host) {
  Record record;
  record.id = id;
  record.time_us = id * 1000;
  record.host = std::move(host);
  record.port = 443;
  record.rule = "<default policy>";
  record.reason = "no rule allows it, and the policy is deny";
  return record;
}

inline Record allowed(std::int64_t id, std::string host) {
  Record record = blocked(id, std::move(host));
  record.allowed = true;
  record.method = "GET";
  record.url_path = "/index";
  record.rule = "example.com";
  record.reason = "a rule allows it";
  return record;
}

using Ids = std::vector<std::int64_t>;

inline Ids ids(const std::vector<Record>& records) {
  Ids out;
  for (const Record& record : records) out.push_back(record.id);
  return out;
}

// Not long ago, as the log's writer sees it: what has such a time keeps its place in the summaries.
inline const std::int64_t kNotLongAgo = microseconds_of(now()) - 1'000'000'000;
inline Record recent(Record record) {
  record.time_us += kNotLongAgo;
  return record;
}

// A state directory with a log in it.
class Log {
 public:
  Log() { EXPECT_TRUE(make_directories(directory_ / kLogDirectory)); }

  std::string directory() const { return directory_ / kLogDirectory; }
  std::string path() const { return directory_.path() + "/" + kLogDirectory + "/" + kLogFile; }
  std::string beside(const std::string& ending) const { return path() + ending; }
  Database database() const { return Database(directory_.path()); }

  std::vector<Record> records(const RecordQuery& query = {}) const {
    auto records = database().records(query);
    EXPECT_TRUE(records) << records.error().what();
    return records ? *records : std::vector<Record>();
  }
  std::vector<Summary> summaries() const {
    auto summaries = database().summaries();
    EXPECT_TRUE(summaries) << summaries.error().what();
    return summaries ? *summaries : std::vector<Summary>();
  }
  // Of one host; of none, those of the others.
  Summary summary(const std::string& host) const {
    for (const Summary& each : summaries())
      if (each.host == host) return each;
    return {};
  }
  // In all summaries together.
  std::int64_t decisions() const {
    std::int64_t sum = 0;
    for (const Summary& each : summaries()) sum += each.count;
    return sum;
  }
  Writer writer(Writer::Limits limits = {}) const {
    auto writer = Writer::open(path(), limits);
    EXPECT_TRUE(writer) << writer.error().what();
    return std::move(*writer);
  }

 private:
  sbx::testing::TemporaryDirectory directory_;
};

}  // namespace sbx::netlog::testing
