// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "base/clock.h"
#include "base/format.h"
#include "base/text.h"

namespace sbx {
namespace {

std::atomic<bool> debug_on{false};
std::atomic<std::int64_t> largest{0};  // 0: no bound

std::string_view name_of(Level level) {
  switch (level) {
    case Level::kDebug:
      return "debug";
    case Level::kInfo:
      return "info";
    case Level::kWarning:
      return "warning";
    case Level::kError:
      return "error";
  }
  return "error";
}

std::string record(Level level, std::string_view sentence) {
  return sbx::format("{} {} [{}] {}\n", rfc3339(now()), name_of(level), ::getpid(), printable(sentence));
}

// One write, so that records of several processes in one file do not mix.
void write_record(const std::string& line) { (void)!::write(STDERR_FILENO, line.data(), line.size()); }

void make_room(std::size_t size) {
  struct stat info {};
  if (largest == 0 || ::fstat(STDERR_FILENO, &info) != 0 || !S_ISREG(info.st_mode)) return;
  if (info.st_size + static_cast<off_t>(size) <= largest || ::ftruncate(STDERR_FILENO, 0) != 0) return;
  write_record(record(Level::kWarning, sbx::format("{} bytes of earlier records were dropped", info.st_size)));
}

}  // namespace

void bound_log(std::int64_t bytes) { largest = bytes; }

void trim_log() { make_room(0); }

void set_debug_log(bool on) { debug_on = on; }

void write_log(Level level, std::string_view sentence) {
  if (level == Level::kDebug && !debug_on) return;
  const std::string line = record(level, sentence);
  make_room(line.size());
  write_record(line);
}

}  // namespace sbx
