// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/capabilities.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

namespace sbx {
namespace {

// For good, and so in a process of its own.
TEST(Capabilities, NoneIsLeftAfterTheyAreDropped) {
  const pid_t child = ::fork();
  if (child == 0) {
    const bool dropped = drop_capabilities().has_value();
    const std::string status = read_file("/proc/self/status").value_or("");
    const bool none = status.find("CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n") != std::string::npos;
    ::_exit(dropped && none ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace sbx
