// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sbx::sandboxes {

// Whether git, or a tool that keeps its things with git's, makes something of this name in a git directory: HEAD,
// objects, MERGE_MSG, index.lock, lfs.
bool is_git_name(std::string_view name);

}  // namespace sbx::sandboxes
