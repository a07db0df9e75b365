// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "wire/sandbox.h"

namespace sbx::cli {

// A workspace operand: PATH, PATH:ro or PATH:readonly. It has to be a directory, and is made absolute. The daemon makes
// it canonical, because it knows which links are not to be followed.
Result<wire::Mount> parse_workspace(const std::string& operand);

// -v SRC:DST[:ro|rw]. SRC has to exist and is made absolute; DST is absolute.
Result<wire::Mount> parse_volume(const std::string& text);

// The text that ls shows and parse_workspace reads: the path, with :ro if it is read-only.
std::string workspace_text(const wire::Mount& workspace);

}  // namespace sbx::cli
