// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <string>

#include "base/file.h"

namespace sbx::testing {

// Our child that waits for an exec, found as anybody in a guest could find it. 0: there is none.
inline pid_t waiting_spare() {
  const std::string ours = " " + std::to_string(::getpid()) + " ";
  for (const std::string& name : names_in("/proc")) {
    const std::string stat = read_file("/proc/" + name + "/stat").value_or("");
    constexpr std::string_view kName = "(sandbox-spare) ";
    const auto at = stat.find(kName);
    // Then its state, which is one letter, and its parent.
    if (at != std::string::npos && stat.compare(at + kName.size() + 1, ours.size(), ours) == 0)
      return static_cast<pid_t>(std::stol(name));
  }
  return 0;
}

}  // namespace sbx::testing
