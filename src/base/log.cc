// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <unistd.h>

#include <atomic>
#include <string>

#include "base/clock.h"
#include "base/format.h"
#include "base/text.h"

namespace sbx {
namespace {

std::atomic<bool> debug_on{false};

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

}  // namespace

void set_debug_log(bool on) { debug_on = on; }

void write_log(Level level, std::string_view sentence) {
  if (level == Level::kDebug && !debug_on) return;
  const std::string line =
      sbx::format("{} {} [{}] {}\n", rfc3339(now()), name_of(level), ::getpid(), printable(sentence));
  // One write, so that records of several processes in one file do not mix.
  (void)!::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace sbx
