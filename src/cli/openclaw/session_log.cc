// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/openclaw/session_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/text.h"
#include "openclaw/session_key.h"

namespace sbx::cli {
namespace {

constexpr std::int64_t kMostOfCommand = 1 << 20;
constexpr std::int64_t kTurnOver = 4 << 20;
constexpr std::size_t kLongestFileName = 60;

std::string logs_in(const std::string& home) { return home + "/logs"; }

std::string log_file(const std::string& home, const std::string& key) {
  return logs_in(home) + "/" + openclaw::slug_of(key, kLongestFileName);
}

}  // namespace

Result<SessionLog> SessionLog::open(const std::string& home, const std::string& key) {
  TRY(make_directories(logs_in(home), 0700));
  // Two commands that put it aside one after the other would lose what the first has put there.
  TRY_ASSIGN(const Fd lock, open_path(logs_in(home), O_RDONLY | O_DIRECTORY));
  TRY(lock_file(lock, logs_in(home)));
  const std::string path = log_file(home, key);
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && info.st_size > kTurnOver &&
      ::rename(path.c_str(), (path + ".old").c_str()) != 0)
    return fail_errno("put the session's log aside");
  TRY_ASSIGN(Fd file, open_path(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW));
  return SessionLog(std::move(file));
}

// A log that cannot be written is no reason to end a command that runs.
void SessionLog::line(std::string_view text) {
  const std::string begin = at_line_begin_ ? "=== " : "\n=== ";
  (void)write_all(file_, begin + rfc3339(now()) + " " + printable(text) + "\n");
  at_line_begin_ = true;
  kept_ = 0;
  is_full_ = false;
}

void SessionLog::keep(std::string_view bytes) {
  if (bytes.empty() || is_full_) return;
  kept_ += static_cast<std::int64_t>(bytes.size());
  (void)write_all(file_, bytes);
  at_line_begin_ = bytes.back() == '\n';
  if (kept_ <= kMostOfCommand) return;
  line("the rest of its output is not kept");
  is_full_ = true;
}

Result<std::string> SessionLog::read(const std::string& home, const std::string& key) {
  const std::string path = log_file(home, key);
  if (!exists(path)) return fail(Code::kNotFound, "session " + printable(key) + " has no log: nothing was run in it");
  std::string all;
  for (const std::string& file : {path + ".old", path}) {
    if (!exists(file)) continue;
    TRY_ASSIGN(const std::string text, read_file(file));
    all += text;
  }
  return all;
}

Result<> SessionLog::remove(const std::string& home, const std::string& key) {
  TRY(remove_file(log_file(home, key) + ".old"));
  return remove_file(log_file(home, key));
}

Result<> SessionLog::remove_all(const std::string& home) { return remove_tree(logs_in(home)); }

}  // namespace sbx::cli
