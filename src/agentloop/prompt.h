// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agentloop/prd.h"
#include "agentloop/settings.h"

namespace sbx::agentloop {

// What the agent is asked in one iteration: the task, the story or the list, what the user has added, and how it says
// that it is done. The promise never stands on a line of its own in it.
std::string prompt_for(const Settings& settings, std::int64_t iteration, const std::optional<Story>& story,
                       std::string_view context);

// The user's own words instead, with what {{iteration}}, {{max_iterations}}, {{min_iterations}}, {{prompt}},
// {{completion_promise}}, {{abort_promise}}, {{task_promise}}, {{context}} and {{tasks}} stand for. What is put in is
// not looked at again, and other names in braces stay as they are.
std::string prompt_from_template(const Settings& settings, std::int64_t iteration, std::string_view context,
                                 std::string_view tasks);

}  // namespace sbx::agentloop
