// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/result.h"
#include "netlog/record.h"
#include "netlog/summary_table.h"

namespace sbx::netlog {

// What a number of records adds to the summaries: first, last and count for each host, rule and verdict, which stay
// when the records themselves have been forgotten.
//   Sums sums({}, now_us);
//   for (const Record& record : records) sums.decided(record);
//   TRY(sums.write(table));  // in a transaction of the caller's
//
// Bounded, though a guest makes up as many names as it likes, and so that what it makes up pushes out nothing that was
// there before: a host that is new when there is no row for it is counted with the others of its rule. Refusals take no
// row from what was allowed. A rule may have as many rows as it leaves to all other rules together, so that names under
// one leave room for names under the next. Only what was not seen for a month gives its row away, to a name of the same
// rule that was; what month it is we know, and need not believe a record, which a shim that was taken over may make up.
class Sums {
 public:
  struct Limits {
    std::int64_t hosts = 1000;  // allowed ones, and as many refused ones
    std::chrono::microseconds stale = std::chrono::hours(24 * 30);
  };
  Sums(const Limits& limits, std::int64_t now_us) : limits_(limits), stale_us_(now_us - limits.stale.count()) {}

  // The record must stay until write().
  void decided(const Record& record);
  void ended(const Record& record);  // which decided() was told of, now or earlier: the reason may say more

  Result<> write(SummaryTable& table);

 private:
  using Rule = std::pair<bool, std::string>;  // with its verdict

  Result<> write_host(SummaryTable& table, const SummaryKey& key, const Sum& sum);
  Result<bool> make_room(SummaryTable& table, const SummaryKey& key, const Sum& sum);
  Result<bool> replace_stale(SummaryTable& table, const Rule& rule);
  Result<> write_others(SummaryTable& table, const Rule& rule, const Sum& sum);

  Limits limits_;
  std::int64_t stale_us_;
  std::map<SummaryKey, Sum> sums_;
  std::map<Rule, Sum> others_;
  // What is in the table, as far as it was looked at.
  std::map<bool, std::int64_t> hosts_;
  std::map<Rule, std::int64_t> hosts_of_rule_;
  std::map<bool, std::int64_t> rules_with_others_;
  std::set<Rule> fresh_;  // none of its hosts is stale
};

}  // namespace sbx::netlog
