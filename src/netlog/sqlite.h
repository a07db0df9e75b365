// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::netlog {

// A prepared statement. Values are bound by position, from 1, and read by column, from 0.
class Statement {
 public:
  void bind(int place, std::int64_t value) { sqlite3_bind_int64(statement_.get(), place, value); }
  void bind(int place, std::string_view text);

  // To the next row; false at the end, after which it may be bound and stepped anew.
  Result<bool> step();
  // To the end, for one that has no rows.
  Result<> run();
  // Of the one that was last run on this connection: how many rows it has changed.
  int changes() const { return sqlite3_changes(sqlite3_db_handle(statement_.get())); }

  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  std::string text(int column) const;

 private:
  friend class SqliteConnection;
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

// One connection to an SQLite file. For one thread at a time. Errors are kInvalid if the file is damaged or not as
// expected, kTooLarge if there is no room for more (by its own limit, on the disk, in a quota), kTimeout if another
// process holds it for too long.
class SqliteConnection {
 public:
  // `flags` are SQLite's. A link in the place of the file is never followed.
  static Result<SqliteConnection> open(const std::string& path, int flags);

  Result<> execute(const char* statements);
  // All that `act` does, or nothing if it fails.
  Result<> in_transaction(const std::function<Result<>()>& act);
  Result<Statement> prepare(std::string_view statement) const;
  sqlite3* get() const { return connection_.get(); }

 private:
  explicit SqliteConnection(sqlite3* connection) : connection_(connection) {}
  struct Closer {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  std::unique_ptr<sqlite3, Closer> connection_;
};

}  // namespace sbx::netlog
