// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/schema.h"

#include <vector>

#include "base/clock.h"

namespace sbx::netlog {
namespace {

constexpr std::size_t kAtATime = 1000;

// A summary's key is in this order because rows are counted and compared by verdict and rule.
constexpr const char* kTables =
    "PRAGMA application_id=0x73626e6c; PRAGMA user_version=2;"
    "CREATE TABLE IF NOT EXISTS decisions("
    " id INTEGER PRIMARY KEY, time_us INTEGER NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL,"
    " path INTEGER NOT NULL, allowed INTEGER NOT NULL, method TEXT NOT NULL, url_path TEXT NOT NULL,"
    " rule TEXT NOT NULL, reason TEXT NOT NULL, status INTEGER NOT NULL, sent INTEGER NOT NULL,"
    " received INTEGER NOT NULL, duration_us INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS summaries("
    " allowed INTEGER NOT NULL, rule TEXT NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL, path INTEGER NOT NULL,"
    " first_us INTEGER NOT NULL, last_us INTEGER NOT NULL, count INTEGER NOT NULL, reason TEXT NOT NULL,"
    " PRIMARY KEY(allowed, rule, host, port, path)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS losses("
    " id INTEGER PRIMARY KEY CHECK(id = 1), count INTEGER NOT NULL, first_us INTEGER NOT NULL, last_us INTEGER NOT "
    "NULL);"
    "INSERT OR IGNORE INTO losses VALUES(1, 0, 0, 0)";

constexpr std::string_view kNotSummedUp =
    "SELECT time_us, host, port, path, allowed, rule, reason FROM decisions"
    " WHERE time_us > (SELECT coalesce(max(last_us), -1) FROM summaries) ORDER BY id";

Record decision_from(const Statement& row) {
  Record record;
  record.time_us = row.integer(0);
  record.host = row.text(1);
  record.port = static_cast<std::uint16_t>(row.integer(2));
  record.path = path_from(row.integer(3));
  record.allowed = row.integer(4) != 0;
  record.rule = row.text(5);
  record.reason = row.text(6);
  return record;
}

Result<> sum_up(SqliteConnection& connection, const Sums::Limits& limits) {
  TRY_ASSIGN(SummaryTable table, SummaryTable::open(connection));
  TRY_ASSIGN(Statement rows, connection.prepare(kNotSummedUp));
  for (bool more = true; more;) {
    std::vector<Record> records;
    records.reserve(kAtATime);
    Sums sums(limits, microseconds_of(now()));
    while (records.size() < kAtATime) {
      TRY_ASSIGN(more, rows.step());
      if (!more) break;
      sums.decided(records.emplace_back(decision_from(rows)));
    }
    TRY(sums.write(table));
  }
  return Ok{};
}

}  // namespace

Result<std::int64_t> schema_version(const SqliteConnection& connection) {
  TRY_ASSIGN(Statement statement, connection.prepare("PRAGMA user_version"));
  TRY_ASSIGN(const bool answered, statement.step());
  return answered ? statement.integer(0) : 0;
}

Result<Losses> read_losses(const SqliteConnection& connection) {
  TRY_ASSIGN(Statement statement, connection.prepare("SELECT count, first_us, last_us FROM losses WHERE id=1"));
  TRY_ASSIGN(const bool found, statement.step());
  if (!found) return fail(Code::kInvalid, "it does not say what it has lost");
  Losses losses;
  losses.add({statement.integer(0), statement.integer(1), statement.integer(2)});
  return losses;
}

Result<> make_tables(SqliteConnection& connection, const Sums::Limits& limits) {
  TRY_ASSIGN(const std::int64_t version, schema_version(connection));
  if (version >= kWithSummaries) return Ok{};
  return connection.in_transaction([&]() -> Result<> {
    TRY(connection.execute(kTables));
    return sum_up(connection, limits);
  });
}

}  // namespace sbx::netlog
