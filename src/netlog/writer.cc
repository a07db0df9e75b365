// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/writer.h"

#include <cerrno>
#include <cstdio>

#include "base/format.h"
#include "base/log.h"

namespace sbx::netlog {
namespace {

constexpr std::int64_t kPageSize = 4096;
constexpr std::int64_t kStep = 1000;  // the oldest are looked for once in so many records

// "application_id" marks the file as ours, "user_version" is that of the schema.
constexpr const char* kSchema =
    "BEGIN; PRAGMA application_id=0x73626e6c; PRAGMA user_version=1;"
    "CREATE TABLE IF NOT EXISTS decisions("
    " id INTEGER PRIMARY KEY, time_us INTEGER NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL,"
    " path INTEGER NOT NULL, allowed INTEGER NOT NULL, method TEXT NOT NULL, url_path TEXT NOT NULL,"
    " rule TEXT NOT NULL, reason TEXT NOT NULL, status INTEGER NOT NULL, sent INTEGER NOT NULL,"
    " received INTEGER NOT NULL, duration_us INTEGER NOT NULL); COMMIT";

constexpr std::string_view kInsert =
    "INSERT INTO decisions VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)"
    " ON CONFLICT(id) DO UPDATE SET status=excluded.status, sent=excluded.sent, received=excluded.received,"
    " duration_us=excluded.duration_us,"
    " reason=CASE substr(excluded.reason, 1, length(reason)) WHEN reason THEN excluded.reason ELSE reason END"
    " WHERE duration_us < 0";

Result<> check(Connection& connection) {
  TRY_ASSIGN(Statement statement, connection.prepare("PRAGMA quick_check(1)"));
  TRY_ASSIGN(const bool answered, statement.step());
  if (!answered || statement.text(0) != "ok") return fail(Code::kInvalid, "it is damaged");
  return Ok{};
}

Result<> set_aside(const std::string& path) {
  if (std::rename(path.c_str(), (path + ".damaged").c_str()) != 0) return fail_errno("set aside " + path);
  if (std::remove((path + "-journal").c_str()) != 0 && errno != ENOENT)
    return fail_errno("remove the journal of " + path);
  return Ok{};
}

void put(Statement& statement, const Record& record) {
  statement.bind(1, record.id);
  statement.bind(2, record.time_us);
  statement.bind(3, record.host);
  statement.bind(4, static_cast<std::int64_t>(record.port));
  statement.bind(5, static_cast<std::int64_t>(record.path));
  statement.bind(6, static_cast<std::int64_t>(record.allowed));
  statement.bind(7, record.method);
  statement.bind(8, record.url_path);
  statement.bind(9, record.rule);
  statement.bind(10, record.reason);
  statement.bind(11, static_cast<std::int64_t>(record.status));
  statement.bind(12, static_cast<std::int64_t>(record.sent));
  statement.bind(13, static_cast<std::int64_t>(record.received));
  statement.bind(14, record.duration_us);
}

}  // namespace

// A rollback journal and not WAL: the reader has no right to write beside the file, or should not use it. Nothing waits
// for the disk: a power cut may cost the log, which is then begun anew, and nothing else.
Result<Connection> Writer::open_file(const std::string& path, const Limits& limits) {
  TRY_ASSIGN(auto connection, Connection::open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  TRY(
      connection.execute("PRAGMA trusted_schema=OFF; PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=OFF;"
                         "PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA busy_timeout=5000"));
  TRY(connection.execute(sbx::format("PRAGMA max_page_count={}", limits.bytes / kPageSize).c_str()));
  TRY(check(connection));
  TRY(connection.execute(kSchema));
  TRY(connection.prepare(kInsert));
  return connection;
}

Writer::Writer(std::string path, Limits limits, Connection connection)
    : path_(std::move(path)), limits_(limits), connection_(std::move(connection)) {}

Result<Writer> Writer::open(const std::string& path, Limits limits) {
  auto connection = open_file(path, limits);
  if (!connection && connection.error().code() == Code::kInvalid) {
    log_warning("the network log is damaged and begun anew: {}", connection.error().what());
    TRY(set_aside(path));
    connection = open_file(path, limits);
  }
  if (!connection) return fail(std::move(connection).error().within("open the network log"));
  return Writer(path, limits, std::move(*connection));
}

Result<> Writer::write(std::span<const Record> records) {
  auto written = write_once(records);
  if (written) return written;
  if (written.error().code() == Code::kTooLarge)
    TRY(make_room());
  else if (written.error().code() == Code::kInvalid)
    TRY(begin_anew());
  else
    return written;
  return write_once(records);
}

Result<> Writer::write_once(std::span<const Record> records) {
  TRY(connection_.execute("BEGIN IMMEDIATE"));
  auto done = insert(records);
  if (done) done = connection_.execute("COMMIT");
  if (!done) (void)connection_.execute("ROLLBACK");  // fails if SQLite has done so itself
  return done;
}

Result<> Writer::insert(std::span<const Record> records) {
  TRY_ASSIGN(Statement statement, connection_.prepare(kInsert));
  for (const Record& record : records) {
    put(statement, record);
    TRY(statement.run());
  }
  unlooked_ += static_cast<std::int64_t>(records.size());
  if (unlooked_ < kStep) return Ok{};
  unlooked_ = 0;
  return forget_all_but(limits_.records);
}

Result<> Writer::forget_all_but(std::int64_t kept) {
  TRY_ASSIGN(Statement statement,
             connection_.prepare("DELETE FROM decisions WHERE id <="
                                 " (SELECT id FROM decisions ORDER BY id DESC LIMIT 1 OFFSET ?1)"));
  statement.bind(1, kept);
  return statement.run();
}

// A tenth at a time: what is freed is used again.
Result<> Writer::make_room() {
  TRY_ASSIGN(Statement statement, connection_.prepare("SELECT count(*) FROM decisions"));
  TRY_ASSIGN(const bool counted, statement.step());
  const std::int64_t count = counted ? statement.integer(0) : 0;
  TRY(statement.run());
  return forget_all_but(count - count / 10 - 1);
}

Result<> Writer::begin_anew() {
  TRY_ASSIGN(Writer anew, open(path_, limits_));
  *this = std::move(anew);
  return Ok{};
}

}  // namespace sbx::netlog
