// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/file.h"

namespace sbx::testing {

// A directory of the test's own, gone at its end.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = "/tmp/sandboxd-test-XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() {
    if (auto removed = remove_tree(path_); !removed) ADD_FAILURE() << removed.error().what();
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace sbx::testing
