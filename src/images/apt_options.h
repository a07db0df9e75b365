// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// The host's apt settings that decide whether its mirror can be reached: proxies, retries, timeouts.
namespace sbx::images {

struct AptOptions {
  std::vector<std::string> build;  // `Acquire::Retries "3"`, for apt on the host
  std::vector<std::string> guest;  // those of them that are true and harmless in a guest too
};

// From the text that `apt-config dump` prints.
AptOptions select_options(std::string_view dump);

// What the host's apt says now.
Result<AptOptions> host_options();

}  // namespace sbx::images
