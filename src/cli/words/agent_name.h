// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "agents/catalogue.h"
#include "base/error.h"
#include "base/result.h"

namespace sbx::cli {

// The agents that there are, with the user's own: of the same file as the daemon's, so that `run` is one request.
Result<agents::Catalogue> known_agents();
// `invalid agent: x (must be one of: ...)`
Error unknown_agent(const std::string& name);

}  // namespace sbx::cli
