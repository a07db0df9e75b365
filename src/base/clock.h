// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sbx {

using WallTime = std::chrono::system_clock::time_point;
using SteadyTime = std::chrono::steady_clock::time_point;

WallTime now();
SteadyTime steady_now();

// Since 1970.
std::int64_t microseconds_of(WallTime time);

// UTC with milliseconds: 2026-11-15T19:22:23.041Z.
std::string rfc3339(WallTime time);
// What rfc3339() writes, with or without the milliseconds; nothing for any other text.
std::optional<WallTime> parse_rfc3339(const std::string& text);

}  // namespace sbx
