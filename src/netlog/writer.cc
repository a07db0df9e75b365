// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/writer.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/clock.h"
#include "base/format.h"
#include "base/log.h"
#include "netlog/reserve.h"
#include "netlog/schema.h"

namespace sbx::netlog {
namespace {

constexpr std::int64_t kPageSize = 4096;
constexpr std::int64_t kSlack = 1000;       // so many more than the limit, and then the oldest go
constexpr std::int64_t kFewestGoing = 256;  // when there is no room: enough for a page or two
constexpr int kMostLost = 16;               // of a batch, one by one

constexpr std::string_view kInsert =
    "INSERT OR IGNORE INTO decisions VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)";
constexpr std::string_view kFinish =
    "UPDATE decisions SET reason=CASE substr(?10, 1, length(reason)) WHEN reason THEN ?10 ELSE reason END,"
    " status=?11, sent=?12, received=?13, duration_us=?14 WHERE id=?1 AND duration_us < 0";

Result<> check(SqliteConnection& connection) {
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

Result<std::int64_t> count_records(const SqliteConnection& connection) {
  TRY_ASSIGN(Statement statement, connection.prepare("SELECT count(*) FROM decisions"));
  TRY_ASSIGN(const bool counted, statement.step());
  return counted ? statement.integer(0) : 0;
}

bool is_full(const Result<>& result) { return !result && result.error().code() == Code::kTooLarge; }

}  // namespace

// A rollback journal and not WAL: the reader has no right to write beside the file, or should not use it. It is kept
// between two writes (PERSIST), because one that is made for each needs room for each; and it is a file, because one in
// memory does not mend the log when the gate is killed. Nothing waits for the disk: a power cut may cost the log, which
// is then begun anew, and nothing else. What was forgotten need not be wiped: it has the same readers as the rest.
Result<Writer::File> Writer::open_file(const std::string& path, const Limits& limits) {
  TRY_ASSIGN(auto connection, SqliteConnection::open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  TRY(connection.execute(sbx::format("PRAGMA trusted_schema=OFF; PRAGMA journal_mode=PERSIST;"
                                     "PRAGMA journal_size_limit={}; PRAGMA synchronous=OFF; PRAGMA secure_delete=OFF;"
                                     "PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA busy_timeout=5000;"
                                     "PRAGMA max_page_count={}",
                                     kJournal, limits.bytes / kPageSize)
                             .c_str()));
  TRY(check(connection));
  grow_in_chunks(connection, limits.bytes);
  TRY(make_tables(connection, limits.sums));
  TRY_ASSIGN(Statement insert, connection.prepare(kInsert));
  TRY_ASSIGN(Statement finish, connection.prepare(kFinish));
  TRY_ASSIGN(SummaryTable summaries, SummaryTable::open(connection));
  TRY_ASSIGN(const std::int64_t records, count_records(connection));
  TRY_ASSIGN(const Losses losses, read_losses(connection));
  return File{std::move(connection), std::move(insert), std::move(finish), std::move(summaries), records, losses};
}

Writer::Writer(std::string path, Limits limits, File file)
    : path_(std::move(path)), limits_(limits), file_(std::move(file)) {
  reserve();
}

Result<Writer> Writer::open(const std::string& path, Limits limits) {
  auto file = open_file(path, limits);
  if (!file && file.error().code() == Code::kInvalid) {
    log_warning("the network log is damaged and begun anew: {}", file.error().what());
    TRY(set_aside(path));
    file = open_file(path, limits);
  }
  if (!file) return fail(std::move(file).error().within("open the network log"));
  return Writer(path, limits, std::move(*file));
}

// On a disk that is full it is tried again with each write.
void Writer::reserve() {
  if (file_.reserved) return;
  const auto reserved = netlog::reserve(file_.connection, path_);
  file_.reserved = reserved.has_value();
}

Result<> Writer::write(std::span<const Record> records) {
  reserve();
  auto written = write_what_fits(records);
  if (file_.records > limits_.records + kSlack) (void)forget_oldest(file_.records - limits_.records);
  if (auto noted = note_losses(); !noted && written) return noted;
  return written;
}

// Where there is no room for all of them at a time there may be for half. One for which there is none is lost, and
// after some of these the rest is, too: each has cost a few attempts, and more are on their way.
Result<> Writer::write_what_fits(std::span<const Record> records) {
  Result<> all;
  int lost = 0;
  for (std::size_t size = records.size(); !records.empty();) {
    size = std::min(size, records.size());
    auto written = write_or_make_room(records.first(size));
    if (is_full(written) && size > 1) {
      size /= 2;
      continue;
    }
    if (!written) {
      const bool hopeless = !is_full(written) || ++lost == kMostLost;
      if (hopeless) size = records.size();
      unnoted_.add(records.first(size));
      all = std::move(written);
    }
    records = records.subspan(size);
  }
  return all;
}

Result<> Writer::write_or_make_room(std::span<const Record> records) {
  auto written = write_once(records);
  if (!written && written.error().code() == Code::kInvalid && begin_anew()) written = write_once(records);
  if (is_full(written) && forget_oldest(std::max(file_.records / 10, kFewestGoing))) written = write_once(records);
  return written;
}

Result<> Writer::write_once(std::span<const Record> records) {
  std::int64_t inserted = 0;
  TRY(file_.connection.in_transaction([&]() -> Result<> {
    TRY_ASSIGN(inserted, insert(records));
    return Ok{};
  }));
  file_.records += inserted;
  return Ok{};
}

// An end whose beginning is not there, because it was lost or is forgotten, is no decision that has not been counted.
Result<std::int64_t> Writer::insert(std::span<const Record> records) {
  Sums sums(limits_.sums, microseconds_of(now()));
  std::int64_t inserted = 0;
  for (const Record& record : records) {
    put(file_.insert, record);
    TRY(file_.insert.run());
    const bool is_new = file_.insert.changes() > 0;
    inserted += is_new ? 1 : 0;
    if (is_new && !record.is_end()) {
      sums.decided(record);
      continue;
    }
    put(file_.finish, record);
    TRY(file_.finish.run());
    sums.ended(record);
  }
  TRY(sums.write(file_.summaries));
  return inserted;
}

// Fewer at a time, if there is no room to undo the forgetting of so many.
Result<> Writer::forget_oldest(std::int64_t count) {
  for (;; count /= 2) {
    auto forgotten = forget_once(count);
    if (!is_full(forgotten) || count <= 1) return forgotten;
  }
}

Result<> Writer::forget_once(std::int64_t count) {
  TRY_ASSIGN(Statement statement,
             file_.connection.prepare("DELETE FROM decisions WHERE id <="
                                      " (SELECT max(id) FROM (SELECT id FROM decisions ORDER BY id LIMIT ?1))"));
  statement.bind(1, count);
  TRY(statement.run());
  file_.records -= statement.changes();
  return Ok{};
}

Result<> Writer::begin_anew() {
  TRY_ASSIGN(Writer anew, open(path_, limits_));
  anew.lose(losses());
  *this = std::move(anew);
  return Ok{};
}

void Writer::lose(const Losses& losses) { unnoted_.add(losses); }

Losses Writer::losses() const {
  Losses all = file_.losses;
  all.add(unnoted_);
  return all;
}

// Changes a row that is there, so that it takes no room.
Result<> Writer::note_losses() {
  if (!unnoted_) return Ok{};
  const Losses all = losses();
  TRY_ASSIGN(Statement statement,
             file_.connection.prepare("UPDATE losses SET count=?1, first_us=?2, last_us=?3 WHERE id=1"));
  statement.bind(1, all.count);
  statement.bind(2, all.first_us);
  statement.bind(3, all.last_us);
  TRY(statement.run());
  file_.losses = all;
  unnoted_ = {};
  return Ok{};
}

}  // namespace sbx::netlog
