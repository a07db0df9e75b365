// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace sbx::cli {

// The whole program: from the words after argv[0] to the exit code. `called_as` is argv[0]: under the name
// docker-sandbox we are Docker's plugin, which is called as `docker-sandbox [docker's options] sandbox ...`.
int run_program(const std::string& called_as, std::vector<std::string> words);

}  // namespace sbx::cli
