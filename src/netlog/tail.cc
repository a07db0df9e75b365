// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/tail.h"

#include <algorithm>

namespace sbx::netlog {
namespace {

bool goes_on(const Record& record) { return record.allowed && record.duration_us < 0; }

}  // namespace

std::int64_t Tail::after() const { return open_.empty() ? seen_ : std::min(seen_, *open_.begin() - 1); }

bool Tail::is_news(const Record& record) {
  if (record.id > seen_) {
    seen_ = record.id;
    if (goes_on(record)) open_.insert(record.id);
    return true;
  }
  return !goes_on(record) && open_.erase(record.id) > 0;
}

std::vector<Record> Tail::news(const std::vector<Record>& records) {
  std::vector<Record> news;
  for (const Record& record : records)
    if (is_news(record)) news.push_back(record);
  // What has left the log, which is bounded, is not waited for.
  const std::int64_t oldest = records.empty() ? seen_ + 1 : records.front().id;
  open_.erase(open_.begin(), open_.lower_bound(oldest));
  return news;
}

}  // namespace sbx::netlog
