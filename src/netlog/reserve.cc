// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/reserve.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/fd.h"
#include "base/file.h"

namespace sbx::netlog {
namespace {

// SQLite makes whole chunks of a size that it is told to expect.
Result<> fill_chunk(SqliteConnection& connection, const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return fail_errno("look at " + path);
  sqlite3_int64 size = info.st_size;
  if (sqlite3_file_control(connection.get(), "main", SQLITE_FCNTL_SIZE_HINT, &size) != SQLITE_OK)
    return fail(Code::kTooLarge, "grow " + path + ": no room");
  return Ok{};
}

// Zeros are no journal to SQLite, and it overwrites them in place.
Result<> fill_journal(const std::string& path) {
  TRY_ASSIGN(const Fd journal, open_path(path + "-journal", O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW));
  struct stat info {};
  if (::fstat(journal.get(), &info) != 0) return fail_errno("look at the network log's journal");
  const std::int64_t missing = std::max<std::int64_t>(kJournal - info.st_size, 0);
  return write_all(journal, std::string(static_cast<std::size_t>(missing), '\0'));
}

}  // namespace

void grow_in_chunks(SqliteConnection& connection, std::int64_t largest) {
  int chunk = static_cast<int>(std::min(kChunk, largest));
  sqlite3_file_control(connection.get(), "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk);
}

Result<> reserve(SqliteConnection& connection, const std::string& path) {
  TRY(fill_chunk(connection, path));
  return fill_journal(path);
}

}  // namespace sbx::netlog
