// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/file.h"
#include "support/paths.h"

namespace sbx::testing {

// Compares with tests/golden/<name>. SANDBOXD_ACCEPT=1 writes the file instead; the diff is then reviewed.
inline void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = source_file("tests/golden/" + name);
  if (std::getenv("SANDBOXD_ACCEPT") != nullptr) {
    ASSERT_TRUE(make_directories(path.substr(0, path.find_last_of('/')), 0755));
    ASSERT_TRUE(write_file(path, actual, 0644));
    return;
  }
  const auto expected = read_file(path);
  ASSERT_TRUE(expected) << expected.error().what() << " (SANDBOXD_ACCEPT=1 makes it)";
  EXPECT_EQ(*expected, actual) << path << " differs (SANDBOXD_ACCEPT=1 accepts the new form)";
}

}  // namespace sbx::testing
