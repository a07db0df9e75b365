// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sbx::guest {

// The file that a command's first word means: itself if it has a slash, else the first executable of that name in
// `path`. Asked with the rights of the calling process. kNotFound: there is none (exit 127); kForbidden: there is
// something, but it cannot be run (exit 126).
Result<std::string> find_program(const std::string& name, std::string_view path);

// The same in two steps: the files that may be meant, of which the first without trouble is; and what is wrong with
// one (an error number, or 0), which allocates nothing.
std::vector<std::string> candidates(const std::string& name, std::string_view path);
int trouble_with(const char* file);

}  // namespace sbx::guest
