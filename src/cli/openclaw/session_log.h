// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::cli {

// What a session has run, and what that has printed: a file on this host, by a hash of the session's key. Bounded: of
// one command the first MiB is kept, and of all the last 4 to 8.
class SessionLog {
 public:
  // `home` is that of sessions (session_sandbox.h); the key is any text.
  static Result<SessionLog> open(const std::string& home, const std::string& key);

  // A line of our own: which command, how it ended, what was refused.
  void line(std::string_view text);
  void keep(std::string_view bytes);

  // All that there is, in order; kNotFound: nothing was ever run.
  static Result<std::string> read(const std::string& home, const std::string& key);
  static Result<> remove(const std::string& home, const std::string& key);
  static Result<> remove_all(const std::string& home);

 private:
  explicit SessionLog(Fd file) : file_(std::move(file)) {}

  Fd file_;
  std::int64_t kept_ = 0;  // since the last line of ours
  bool is_full_ = false;   // until the next one
  bool at_line_begin_ = true;
};

}  // namespace sbx::cli
