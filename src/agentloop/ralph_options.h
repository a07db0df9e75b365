// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agentloop/settings.h"
#include "base/flags.h"
#include "base/result.h"

namespace sbx::agentloop {

std::span<const Flag> ralph_flags();
std::string ralph_help();

struct RalphOptions {
  Settings settings;
  std::string model;
  std::string template_file;   // where the template was read from
  bool reads_answers = false;  // to questions of the agent, from standard input
};

// The loop that the words ask for, in a directory. kInvalid for what cannot be meant.
Result<RalphOptions> ralph_options(const Arguments& arguments, const std::string& directory);

}  // namespace sbx::agentloop
