// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/database.h"

#include <sys/stat.h>

#include <algorithm>
#include <climits>
#include <functional>

#include "base/clock.h"
#include "base/file.h"
#include "base/format.h"
#include "netlog/schema.h"
#include "netlog/sqlite.h"

namespace sbx::netlog {
namespace {

constexpr auto kLongestQuestion = std::chrono::seconds(5);
constexpr int kLongestValue = 1 << 20;
constexpr int kStepsBetweenLooks = 100'000;
// An honest writer keeps fewer; and of names that it has no row for, which a guest makes up, so many are enough.
constexpr std::size_t kMostSummaries = 10'000;
constexpr std::size_t kMostOfRecordsOnly = 1000;

// A writer that has just begun has made the file and nothing in it.
bool has_content(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && info.st_size > 0;
}

// A path as SQLite's URIs have it.
std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path)
    if (c == '%' || c == '?' || c == '#')
      uri += sbx::format("%{:02X}", static_cast<unsigned>(c));
    else
      uri += c;
  return uri;
}

// Nothing that the file could hold besides tables is looked at, and nothing of it is mapped into our memory, where its
// writer could cut it off under us. Exclusive: not to keep others out, which a reader cannot, but because SQLite then
// refuses a file in WAL mode, the shared memory of which it would map.
Result<> harden(SqliteConnection& connection) {
  for (const int option : {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA})
    sqlite3_db_config(connection.get(), option, 0, nullptr);
  sqlite3_db_config(connection.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_limit(connection.get(), SQLITE_LIMIT_LENGTH, kLongestValue);
  return connection.execute(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA query_only=ON; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;"
      "PRAGMA temp_store=MEMORY; PRAGMA busy_timeout=2000");
}

template <class T>
using Answer = std::function<Result<T>(const SqliteConnection& connection)>;

// One question to the file.
class Question {
 public:
  explicit Question(SqliteConnection connection) : connection_(std::move(connection)) {
    sqlite3_progress_handler(connection_.get(), kStepsBetweenLooks, &Question::is_late, &deadline_);
  }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;
  ~Question() { sqlite3_progress_handler(connection_.get(), 0, nullptr, nullptr); }

  template <class T>
  Result<T> ask(const Answer<T>& answer) {
    TRY(harden(connection_));
    return answer(connection_);
  }
  bool cut_off() const { return sqlite3_extended_errcode(connection_.get()) == SQLITE_READONLY_ROLLBACK; }

 private:
  static int is_late(void* deadline) { return steady_now() > *static_cast<const SteadyTime*>(deadline) ? 1 : 0; }

  SqliteConnection connection_;
  SteadyTime deadline_ = steady_now() + kLongestQuestion;
};

// Of a file that is not there yet: nothing.
template <class T>
Result<T> ask(const std::string& state_directory, const Answer<T>& answer) {
  // What is above the log's directory is ours and may be reached by links; below, none is followed.
  TRY_ASSIGN(const std::string directory, canonical_path(state_directory));
  const std::string path = directory + "/" + kLogDirectory + "/" + kLogFile;
  if (!has_content(path)) return T();
  TRY_ASSIGN(auto connection, SqliteConnection::open(path, SQLITE_OPEN_READONLY));
  Question question(std::move(connection));
  auto answered = question.ask(answer);
  if (answered || !question.cut_off()) return answered;
  // Its writer was killed in the middle of a write, and the next one will undo that. Until then, as it is.
  TRY_ASSIGN(auto as_it_is,
             SqliteConnection::open(uri_of(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI));
  answered = Question(std::move(as_it_is)).ask(answer);
  if (answered) return answered;
  return fail(std::move(answered).error().within("the log was cut off, and is mended when the sandbox starts"));
}

template <class T>
Result<std::vector<T>> rows(const SqliteConnection& connection, std::string_view text, const RecordQuery& query,
                            T (*read)(const Statement&)) {
  TRY_ASSIGN(Statement statement, connection.prepare(text));
  statement.bind(1, query.after);
  statement.bind(2, query.blocked_only ? 0 : 1);
  statement.bind(3, query.newest == 0 ? -1 : static_cast<std::int64_t>(std::min<std::size_t>(query.newest, INT_MAX)));
  std::vector<T> found;
  for (;;) {
    TRY_ASSIGN(const bool more, statement.step());
    if (!more) return found;
    found.push_back(read(statement));
  }
}

Record record_from(const Statement& row) {
  Record record;
  record.id = row.integer(0);
  record.time_us = row.integer(1);
  record.host = row.text(2);
  record.port = static_cast<std::uint16_t>(row.integer(3));
  record.path = path_from(row.integer(4));
  record.allowed = row.integer(5) != 0;
  record.method = row.text(6);
  record.url_path = row.text(7);
  record.rule = row.text(8);
  record.reason = row.text(9);
  record.status = static_cast<std::uint32_t>(row.integer(10));
  record.sent = static_cast<std::uint64_t>(row.integer(11));
  record.received = static_cast<std::uint64_t>(row.integer(12));
  record.duration_us = row.integer(13);
  return record;
}

Summary summary_from(const Statement& row) {
  Summary summary;
  summary.host = row.text(0);
  summary.port = static_cast<std::uint16_t>(row.integer(1));
  summary.path = path_from(row.integer(2));
  summary.allowed = row.integer(3) != 0;
  summary.rule = row.text(4);
  summary.reason = row.text(5);
  summary.first_us = row.integer(6);
  summary.last_us = row.integer(7);
  summary.count = row.integer(8);
  return summary;
}

// The reason is that of the row in which the greatest time is: SQLite's rule for max() beside plain columns.
constexpr std::string_view kOfRecords =
    "SELECT host, port, path, allowed, rule, reason, min(time_us), max(time_us), count(*)"
    " FROM decisions WHERE id > ?1 AND allowed <= ?2"
    " GROUP BY allowed, rule, host, port, path ORDER BY max(time_us) DESC LIMIT ?3";
constexpr std::string_view kKept =
    "SELECT host, port, path, allowed, rule, reason, first_us, last_us, count"
    " FROM summaries WHERE first_us > ?1 AND allowed <= ?2 ORDER BY last_us DESC LIMIT ?3";
// Of hosts that have no row of their own, and are known as long as there are records of them.
constexpr std::string_view kOfRecordsOnly =
    "SELECT host, port, path, allowed, rule, reason, min(time_us), max(time_us), count(*)"
    " FROM decisions AS d WHERE id > ?1 AND allowed <= ?2 AND host <> ''"
    " GROUP BY allowed, rule, host, port, path"
    " HAVING NOT EXISTS(SELECT 1 FROM summaries AS s WHERE s.allowed=d.allowed AND s.rule=d.rule AND s.host=d.host"
    "  AND s.port=d.port AND s.path=d.path)"
    " ORDER BY max(time_us) DESC LIMIT ?3";

RecordQuery newest(bool blocked_only, std::size_t count) { return {INT64_MIN, blocked_only, count}; }

bool is_of_others(const Summary& summary) { return summary.host.empty(); }

// A host that has a line of its own is none of the others.
void take_off_others(std::vector<Summary>& summaries, const Summary& named) {
  const auto others_of = [&](std::string_view rule) {
    return std::ranges::find_if(summaries, [&](const Summary& each) {
      return is_of_others(each) && each.allowed == named.allowed && each.rule == rule;
    });
  };
  auto others = others_of(named.rule);
  if (others == summaries.end()) others = others_of("");
  if (others != summaries.end()) others->count -= named.count;
}

Result<std::vector<Summary>> read_summaries(const SqliteConnection& connection, bool blocked_only) {
  TRY_ASSIGN(const std::int64_t version, schema_version(connection));
  if (version < kWithSummaries)
    return rows<Summary>(connection, kOfRecords, newest(blocked_only, kMostSummaries), &summary_from);
  TRY_ASSIGN(auto summaries, rows<Summary>(connection, kKept, newest(blocked_only, kMostSummaries), &summary_from));
  if (std::ranges::none_of(summaries, &is_of_others)) return summaries;
  TRY_ASSIGN(const auto named,
             rows<Summary>(connection, kOfRecordsOnly, newest(blocked_only, kMostOfRecordsOnly), &summary_from));
  for (const Summary& each : named) take_off_others(summaries, each);
  std::erase_if(summaries, [](const Summary& each) { return is_of_others(each) && each.count <= 0; });
  summaries.insert(summaries.end(), named.begin(), named.end());
  std::ranges::stable_sort(summaries, std::ranges::greater(), &Summary::last_us);
  return summaries;
}

}  // namespace

Result<std::vector<Record>> Database::records(const RecordQuery& query) const {
  auto newest_first = ask<std::vector<Record>>(state_directory_, [&](const SqliteConnection& connection) {
    return rows<Record>(connection,
                        "SELECT id, time_us, host, port, path, allowed, method, url_path, rule, reason,"
                        " status, sent, received, duration_us FROM decisions"
                        " WHERE id > ?1 AND allowed <= ?2 ORDER BY id DESC LIMIT ?3",
                        query, &record_from);
  });
  if (newest_first) std::ranges::reverse(*newest_first);
  return newest_first;
}

Result<std::vector<Summary>> Database::summaries(bool blocked_only) const {
  return ask<std::vector<Summary>>(
      state_directory_, [=](const SqliteConnection& connection) { return read_summaries(connection, blocked_only); });
}

Result<Losses> Database::losses() const {
  return ask<Losses>(state_directory_, [](const SqliteConnection& connection) -> Result<Losses> {
    TRY_ASSIGN(const std::int64_t version, schema_version(connection));
    return version < kWithSummaries ? Losses() : read_losses(connection);
  });
}

}  // namespace sbx::netlog
