// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/summary_table.h"

#include <algorithm>

namespace sbx::netlog {
namespace {

constexpr std::string_view kAdd =
    "UPDATE summaries SET first_us=min(first_us, ?6), last_us=max(last_us, ?7), count=count+?8,"
    " reason=CASE WHEN ?7 >= last_us THEN ?9 ELSE reason END"
    " WHERE allowed=?1 AND rule=?2 AND host=?3 AND port=?4 AND path=?5";
constexpr std::string_view kInsert =
    "INSERT INTO summaries(allowed, rule, host, port, path, first_us, last_us, count, reason)"
    " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)";
constexpr std::string_view kHosts = "SELECT count(*) FROM summaries WHERE allowed=?1 AND host<>''";
constexpr std::string_view kHostsOfRule = "SELECT count(*) FROM summaries WHERE allowed=?1 AND rule=?2 AND host<>''";
constexpr std::string_view kOthers = "SELECT count(*) FROM summaries WHERE allowed=?1 AND host=''";
constexpr std::string_view kOldest =
    "SELECT host, port, path, first_us, last_us, count, reason FROM summaries"
    " WHERE allowed=?1 AND rule=?2 AND host<>'' AND last_us < ?3 ORDER BY last_us LIMIT 1";
constexpr std::string_view kRemove =
    "DELETE FROM summaries WHERE allowed=?1 AND rule=?2 AND host=?3 AND port=?4 AND path=?5";

void put(Statement& statement, const SummaryKey& key) {
  statement.bind(1, static_cast<std::int64_t>(key.allowed));
  statement.bind(2, key.rule);
  statement.bind(3, key.host);
  statement.bind(4, static_cast<std::int64_t>(key.port));
  statement.bind(5, static_cast<std::int64_t>(key.path));
}

void put(Statement& statement, const SummaryKey& key, const Sum& sum) {
  put(statement, key);
  statement.bind(6, sum.first_us);
  statement.bind(7, sum.last_us);
  statement.bind(8, sum.count);
  statement.bind(9, sum.reason);
}

Result<std::int64_t> counted(Statement& statement) {
  TRY_ASSIGN(const bool answered, statement.step());
  const std::int64_t count = answered ? statement.integer(0) : 0;
  TRY(statement.run());
  return count;
}

}  // namespace

void Sum::add(const Sum& more) {
  if (more.last_us >= last_us) reason = more.reason;
  first_us = std::min(first_us, more.first_us);
  last_us = std::max(last_us, more.last_us);
  count += more.count;
}

Result<SummaryTable> SummaryTable::open(const SqliteConnection& connection) {
  TRY_ASSIGN(Statement add, connection.prepare(kAdd));
  TRY_ASSIGN(Statement insert, connection.prepare(kInsert));
  TRY_ASSIGN(Statement hosts, connection.prepare(kHosts));
  TRY_ASSIGN(Statement hosts_of_rule, connection.prepare(kHostsOfRule));
  TRY_ASSIGN(Statement others, connection.prepare(kOthers));
  TRY_ASSIGN(Statement oldest, connection.prepare(kOldest));
  TRY_ASSIGN(Statement remove, connection.prepare(kRemove));
  return SummaryTable({std::move(add), std::move(insert), std::move(hosts), std::move(hosts_of_rule), std::move(others),
                       std::move(oldest), std::move(remove)});
}

Result<bool> SummaryTable::add(const SummaryKey& key, const Sum& sum) {
  put(statements_.add, key, sum);
  TRY(statements_.add.run());
  return statements_.add.changes() > 0;
}

Result<> SummaryTable::insert(const SummaryKey& key, const Sum& sum) {
  put(statements_.insert, key, sum);
  return statements_.insert.run();
}

Result<std::int64_t> SummaryTable::hosts(bool allowed) {
  statements_.hosts.bind(1, static_cast<std::int64_t>(allowed));
  return counted(statements_.hosts);
}

Result<std::int64_t> SummaryTable::hosts(bool allowed, std::string_view rule) {
  statements_.hosts_of_rule.bind(1, static_cast<std::int64_t>(allowed));
  statements_.hosts_of_rule.bind(2, rule);
  return counted(statements_.hosts_of_rule);
}

Result<std::int64_t> SummaryTable::rules_with_others(bool allowed) {
  statements_.others.bind(1, static_cast<std::int64_t>(allowed));
  return counted(statements_.others);
}

Result<std::optional<Sum>> SummaryTable::take_oldest(bool allowed, std::string_view rule, std::int64_t before_us) {
  Statement& oldest = statements_.oldest;
  oldest.bind(1, static_cast<std::int64_t>(allowed));
  oldest.bind(2, rule);
  oldest.bind(3, before_us);
  TRY_ASSIGN(const bool found, oldest.step());
  if (!found) return std::optional<Sum>();
  const std::string host = oldest.text(0);
  const SummaryKey key{allowed, rule, host, static_cast<std::uint16_t>(oldest.integer(1)),
                       path_from(oldest.integer(2))};
  Sum sum{oldest.integer(3), oldest.integer(4), oldest.integer(5), oldest.text(6)};
  TRY(oldest.run());
  put(statements_.remove, key);
  TRY(statements_.remove.run());
  return std::optional<Sum>(std::move(sum));
}

}  // namespace sbx::netlog
