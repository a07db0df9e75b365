// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "openclaw/section.h"
#include "openclaw/settings.h"

namespace sbx::openclaw {

// sandbox.docker: what OpenClaw would tell docker, as settings of a sandbox. What a sandbox has in another way is
// noted; what it cannot have, and what would weaken it, is refused.
Result<> read_docker(const Section& docker, const std::string& home, Settings& settings);

}  // namespace sbx::openclaw
