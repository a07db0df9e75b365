// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace sbx::userconfig {

// TOML as JSON has it, and back: tables, arrays, strings, numbers and booleans. kInvalid: it is none, or has a date,
// which JSON has not.
Result<Json> parse_toml(std::string_view text);
std::string toml_of(const Json& object);

}  // namespace sbx::userconfig
