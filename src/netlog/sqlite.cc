// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/sqlite.h"

#include "base/text.h"

namespace sbx::netlog {
namespace {

// A quota that is used up is no SQLITE_FULL, but an error of writing.
Code kind_of(int code) {
  if (code == SQLITE_IOERR_WRITE) return Code::kTooLarge;
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:  // a table is not as expected
      return Code::kInvalid;
    case SQLITE_FULL:
      return Code::kTooLarge;
    case SQLITE_BUSY:
    case SQLITE_INTERRUPT:
      return Code::kTimeout;
    default:
      return Code::kInternal;
  }
}

// What SQLite says may quote the file.
Failure failure(sqlite3* connection, std::string_view doing) {
  return fail(kind_of(sqlite3_extended_errcode(connection)),
              std::string(doing) + ": " + printable(sqlite3_errmsg(connection)));
}

}  // namespace

void Statement::bind(int place, std::string_view text) {
  const char* begin = text.empty() ? "" : text.data();  // a null pointer would be NULL
  sqlite3_bind_text64(statement_.get(), place, begin, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  auto failed = failure(sqlite3_db_handle(statement_.get()), "ask the database");
  sqlite3_reset(statement_.get());
  if (code != SQLITE_DONE) return failed;
  return false;
}

Result<> Statement::run() {
  for (;;) {
    TRY_ASSIGN(const bool more, step());
    if (!more) return Ok{};
  }
}

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

Result<SqliteConnection> SqliteConnection::open(const std::string& path, int flags) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX, nullptr);
  SqliteConnection connection(raw);
  if (raw == nullptr) return fail(Code::kInternal, "open " + path + ": no memory");
  if (code != SQLITE_OK) return failure(raw, "open " + path);
  return connection;
}

Result<> SqliteConnection::execute(const char* statements) {
  if (sqlite3_exec(get(), statements, nullptr, nullptr, nullptr) != SQLITE_OK)
    return failure(get(), "set up the database");
  return Ok{};
}

Result<> SqliteConnection::in_transaction(const std::function<Result<>()>& act) {
  TRY(execute("BEGIN IMMEDIATE"));
  auto done = act();
  if (done) done = execute("COMMIT");
  if (!done) (void)execute("ROLLBACK");  // fails if SQLite has done so itself
  return done;
}

Result<Statement> SqliteConnection::prepare(std::string_view statement) const {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(get(), statement.data(), static_cast<int>(statement.size()), &raw, nullptr) != SQLITE_OK)
    return failure(get(), "ask the database");
  return Statement(raw);
}

}  // namespace sbx::netlog
