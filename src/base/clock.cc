// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <ctime>
#include <string_view>

#include "base/format.h"

namespace sbx {

WallTime now() { return std::chrono::system_clock::now(); }
SteadyTime steady_now() { return std::chrono::steady_clock::now(); }

std::int64_t microseconds_of(WallTime time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

std::string rfc3339(WallTime time) {
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  const std::time_t seconds = since / 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return sbx::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, since % 1000);
}

std::optional<WallTime> parse_rfc3339(const std::string& text) {
  std::tm parts{};
  const char* rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  // A clock of nanoseconds does not go much further.
  if (rest == nullptr || parts.tm_year < 0 || parts.tm_year > 300) return std::nullopt;
  int milliseconds = 0;
  if (*rest == '.') {
    int digits = 0;
    for (++rest; *rest >= '0' && *rest <= '9'; ++rest)
      if (digits++ < 3) milliseconds = milliseconds * 10 + (*rest - '0');
    for (; digits < 3; ++digits) milliseconds *= 10;
  }
  if (std::string_view(rest) != "Z") return std::nullopt;
  return std::chrono::system_clock::from_time_t(::timegm(&parts)) + std::chrono::milliseconds(milliseconds);
}

}  // namespace sbx
