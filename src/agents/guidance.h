// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sbx::agents {

// A page for the model: where it is, what it may do, what a refusal looks like and what to tell the user. It is written
// at Agent::guidance when a sandbox first starts, and is the user's to change from then on.
std::string_view guidance();

}  // namespace sbx::agents
