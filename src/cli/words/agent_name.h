// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "cli/context.h"

namespace sbx::cli {

// Whether a word is an agent. Ours are known here; for the user's own the daemon is asked.
Result<bool> is_agent(const Context& context, const std::string& word);

}  // namespace sbx::cli
