// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::cli {

// Asks on the terminal for one line, which is not shown while it is typed.
Result<std::string> read_hidden_line(const Fd& terminal, std::string_view question);

}  // namespace sbx::cli
