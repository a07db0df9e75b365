// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sbx::testing {

// Where the tests find their clone and their build. Functions of one small source, so that only that source is compiled
// anew in another clone: a compiler cache serves the rest.

// source_file("docs/cli.md")
std::string source_file(const std::string& path);
// A program that users have: built_program("sandbox")
std::string built_program(const std::string& name);
// One that only tests have: test_program("fake_shim")
std::string test_program(const std::string& name);

}  // namespace sbx::testing
