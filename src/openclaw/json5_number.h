// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/json_fwd.h"
#include "base/result.h"

namespace sbx::openclaw {

// Whether a number of JSON5 may begin with it: a digit, a sign or a point.
bool is_number_start(char c);
// Whether it may be in one after that, letters of "0xff", "1e5" and "-Infinity" included.
bool is_number_part(char c);

// A number of JSON5: 1, -1.5, .5, 5., +1, 1e3, 0xff. Whole ones are integers, and have to fit in 64 bits. Whether that
// is what the characters are is checked here.
Result<Json> json5_number(std::string_view text);

}  // namespace sbx::openclaw
