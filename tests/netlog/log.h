// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

// A state directory with a log in it.
class Log {
 public:
  Log() { EXPECT_TRUE(make_directories(directory_ / kLogDirectory)); }

  std::string path() const { return directory_.path() + "/" + kLogDirectory + "/" + kLogFile; }
  std::string beside(const std::string& ending) const { return path() + ending; }
  Database database() const { return Database(directory_.path()); }

  std::vector<Record> records(const Query& query = {}) const {
    auto records = database().records(query);
    EXPECT_TRUE(records) << records.error().what();
    return records ? *records : std::vector<Record>();
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
