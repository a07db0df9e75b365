// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "netlog/record.h"

namespace sbx::netlog {

// What is new in a log to a reader that polls it: each decision once and, if what it let through went on
// then, once more when that is over. Pure: the caller reads records with an id after after() and shows them here.
class Tail {
 public:
  explicit Tail(std::int64_t seen = 0) : seen_(seen) {}

  std::int64_t after() const;
  std::vector<Record> news(const std::vector<Record>& records);

 private:
  bool is_news(const Record& record);

  std::int64_t seen_;            // the greatest id
  std::set<std::int64_t> open_;  // told, and not over yet
};

}  // namespace sbx::netlog
