// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error.h"

namespace sbx {

// An error with its hint, where there is one line for both: "no MCP server "x" (try: sandbox mcp ls)".
inline std::string error_line(const Error& error) {
  return error.hint().empty() ? error.what() : error.what() + " (try: " + error.hint() + ")";
}

}  // namespace sbx
