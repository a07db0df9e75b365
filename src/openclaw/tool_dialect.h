// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"
#include "openclaw/section.h"
#include "openclaw/tool_policy.h"

namespace sbx::openclaw {

// All that says which tools there are, outermost first: tools of the document, of the agent, and of sandboxes. The last
// may be in sandbox.tools or in tools.sandbox.tools, the agent's before everybody's, but not in both places.
Result<std::vector<ToolLayer>> read_tools(const Json& document, const Json* agent, const Section& sandbox,
                                          const std::string& agent_path);

}  // namespace sbx::openclaw
