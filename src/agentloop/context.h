// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

// Words that a user adds to a loop that runs, for its next iteration.
namespace sbx::agentloop {

// Appends them, below a line that says when they came. Nothing that was added is lost, whenever take_context is called.
Result<> add_context(const std::string& path, std::string_view text);

// All that was added, and moves it to `taken`. What was in `taken` before is still in front of it: a loop that died
// with it had not used it. A crash inside this call may repeat text, but never loses it (at least once). Nothing
// added: "".
Result<std::string> take_context(const std::string& path, const std::string& taken);

}  // namespace sbx::agentloop
