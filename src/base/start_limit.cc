// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/start_limit.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/text.h"

namespace sbx {

std::chrono::seconds start_limit() {
  constexpr std::int64_t kUsual = 30;
  constexpr std::int64_t kMost = 600;
  const char* wanted = std::getenv("SANDBOXD_START_SECONDS");
  const auto seconds = parse_integer(wanted == nullptr ? "" : wanted).value_or(kUsual);
  return std::chrono::seconds(std::clamp(seconds, kUsual, kMost));
}

}  // namespace sbx
