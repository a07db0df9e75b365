// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/database.h"

#include <sys/stat.h>

#include <algorithm>
#include <climits>

#include "base/clock.h"
#include "base/file.h"
#include "base/format.h"
#include "netlog/sqlite.h"

namespace sbx::netlog {
namespace {

constexpr auto kLongestQuestion = std::chrono::seconds(5);
constexpr int kLongestValue = 1 << 20;
constexpr int kStepsBetweenLooks = 100'000;

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
Result<> harden(Connection& connection) {
  for (const int option : {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA})
    sqlite3_db_config(connection.get(), option, 0, nullptr);
  sqlite3_db_config(connection.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_limit(connection.get(), SQLITE_LIMIT_LENGTH, kLongestValue);
  return connection.execute(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA query_only=ON; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;"
      "PRAGMA temp_store=MEMORY; PRAGMA busy_timeout=2000");
}

// One question to the file.
class Question {
 public:
  explicit Question(Connection connection) : connection_(std::move(connection)) {
    sqlite3_progress_handler(connection_.get(), kStepsBetweenLooks, &Question::is_late, &deadline_);
  }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;
  ~Question() { sqlite3_progress_handler(connection_.get(), 0, nullptr, nullptr); }

  template <class T>
  Result<std::vector<T>> answers(std::string_view text, const Query& query, T (*read)(const Statement&)) {
    TRY(harden(connection_));
    TRY_ASSIGN(Statement statement, connection_.prepare(text));
    statement.bind(1, query.after);
    statement.bind(2, query.blocked_only ? 0 : 1);
    statement.bind(3, query.newest == 0 ? -1 : static_cast<std::int64_t>(std::min<std::size_t>(query.newest, INT_MAX)));
    std::vector<T> answers;
    for (;;) {
      TRY_ASSIGN(const bool more, statement.step());
      if (!more) return answers;
      answers.push_back(read(statement));
    }
  }
  bool cut_off() const { return sqlite3_extended_errcode(connection_.get()) == SQLITE_READONLY_ROLLBACK; }

 private:
  static int is_late(void* deadline) { return steady_now() > *static_cast<const SteadyTime*>(deadline) ? 1 : 0; }

  Connection connection_;
  SteadyTime deadline_ = steady_now() + kLongestQuestion;
};

template <class T>
Result<std::vector<T>> ask(const std::string& state_directory, std::string_view text, const Query& query,
                           T (*read)(const Statement&)) {
  // What is above the log's directory is ours and may be reached by links; below, none is followed.
  TRY_ASSIGN(const std::string directory, canonical_path(state_directory));
  const std::string path = directory + "/" + kLogDirectory + "/" + kLogFile;
  if (!has_content(path)) return std::vector<T>();
  TRY_ASSIGN(auto connection, Connection::open(path, SQLITE_OPEN_READONLY));
  Question question(std::move(connection));
  auto answers = question.answers(text, query, read);
  if (answers || !question.cut_off()) return answers;
  // Its writer was killed in the middle of a write, and the next one will undo that. Until then, as it is.
  TRY_ASSIGN(auto as_it_is, Connection::open(uri_of(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI));
  answers = Question(std::move(as_it_is)).answers(text, query, read);
  if (answers) return answers;
  return fail(std::move(answers).error().within("the log was cut off, and is mended when the sandbox starts"));
}

Path path_from(std::int64_t number) {
  return number >= 0 && number <= static_cast<int>(Path::kTransparentBypass) ? static_cast<Path>(number)
                                                                             : Path::kForward;
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

}  // namespace

Result<std::vector<Record>> Database::records(const Query& query) const {
  auto newest_first = ask<Record>(state_directory_,
                                  "SELECT id, time_us, host, port, path, allowed, method, url_path, rule, reason,"
                                  " status, sent, received, duration_us FROM decisions"
                                  " WHERE id > ?1 AND allowed <= ?2 ORDER BY id DESC LIMIT ?3",
                                  query, &record_from);
  if (newest_first) std::ranges::reverse(*newest_first);
  return newest_first;
}

// The reason is that of the row in which the greatest time is: SQLite's rule for max() beside plain columns.
Result<std::vector<Summary>> Database::summaries(bool blocked_only) const {
  Query query;
  query.blocked_only = blocked_only;
  query.after = INT64_MIN;
  return ask<Summary>(state_directory_,
                      "SELECT host, port, path, allowed, rule, reason, min(time_us), max(time_us), count(*)"
                      " FROM decisions WHERE id > ?1 AND allowed <= ?2"
                      " GROUP BY allowed, host, port, path, rule ORDER BY max(time_us) DESC LIMIT ?3",
                      query, &summary_from);
}

}  // namespace sbx::netlog
