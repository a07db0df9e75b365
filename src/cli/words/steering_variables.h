// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sbx::cli {

// Whether shells, loaders, interpreters or tools take their orders from a variable of this name: what they run, load or
// connect to (BASH_ENV, LD_PRELOAD, GIT_SSH_COMMAND, HTTPS_PROXY). No secret is kept in one. The table is in the
// source.
bool steers_programs(std::string_view variable);

}  // namespace sbx::cli
