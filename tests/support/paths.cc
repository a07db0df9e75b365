// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/paths.h"

namespace sbx::testing {

std::string source_file(const std::string& path) { return SANDBOXD_SOURCE_DIR "/" + path; }
std::string built_program(const std::string& name) { return SANDBOXD_BIN_DIR "/" + name; }
std::string test_program(const std::string& name) { return SANDBOXD_TEST_DIR "/" + name; }

}  // namespace sbx::testing
