// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/json_fwd.h"
#include "base/result.h"

namespace sbx::openclaw {

inline constexpr std::size_t kLargestJson5 = 1u << 20;
inline constexpr std::size_t kDeepestJson5 = 64;
inline constexpr std::size_t kMostMembers = 4096;  // of one object

// JSON5 (spec.json5.org) as a value. An error names the line and the column, in characters, from 1 on:
//   line 3, column 7: a comma or } is missing
// Refused beyond the grammar: a key that comes twice, what is larger or deeper than the bounds above, text that is not
// UTF-8, and numbers that JSON cannot have (Infinity, NaN). Takes time in proportion to the text. Never throws.
Result<Json> parse_json5(std::string_view text);

}  // namespace sbx::openclaw
