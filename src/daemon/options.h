// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace sbx::daemon {

struct Options {
  std::string home;             // empty: SANDBOXES_HOME or ~/.docker/sandboxes
  std::optional<int> ready_fd;  // gets a newline and is closed when the daemon serves
  bool debug = false;
  bool show_version = false;
  bool show_fault_points = false;
  bool show_help = false;
};

Result<Options> parse_options(const std::vector<std::string>& arguments);
std::string usage();

}  // namespace sbx::daemon
