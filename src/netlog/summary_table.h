// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "netlog/record.h"
#include "netlog/sqlite.h"

namespace sbx::netlog {

// What decisions are summed up by. The row without a host is that of all the hosts of its rule which have no row of
// their own, and the one without a rule either that of all other rules.
struct SummaryKey {
  bool allowed = false;
  std::string_view rule;
  std::string_view host;
  std::uint16_t port = 0;
  Path path = Path::kForward;

  auto operator<=>(const SummaryKey&) const = default;
};

struct Sum {
  std::int64_t first_us = INT64_MAX;
  std::int64_t last_us = INT64_MIN;
  std::int64_t count = 0;
  std::string reason;  // of the newest

  void add(const Sum& more);
};

// The table "summaries" of one file, for its writer. Every change is part of the writer's transaction.
class SummaryTable {
 public:
  // The table must be there.
  static Result<SummaryTable> open(const SqliteConnection& connection);

  // Adds to a row; false if there is none.
  Result<bool> add(const SummaryKey& key, const Sum& sum);
  Result<> insert(const SummaryKey& key, const Sum& sum);

  // How many hosts have rows, and for how many rules there is a row of the others.
  Result<std::int64_t> hosts(bool allowed);
  Result<std::int64_t> hosts(bool allowed, std::string_view rule);
  Result<std::int64_t> rules_with_others(bool allowed);

  // Takes out the host of a rule that was last seen longest ago, if that was before then.
  Result<std::optional<Sum>> take_oldest(bool allowed, std::string_view rule, std::int64_t before_us);

 private:
  struct Statements {
    Statement add;
    Statement insert;
    Statement hosts;
    Statement hosts_of_rule;
    Statement others;
    Statement oldest;
    Statement remove;
  };
  explicit SummaryTable(Statements statements) : statements_(std::move(statements)) {}

  Statements statements_;
};

}  // namespace sbx::netlog
