// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::secrets {

// What a guest has as ~/.claude/.credentials.json in the place of the user's own login: the placeholder for each token,
// and of the rest the plan and the scopes, by which Claude Code decides what it offers. It expires in the far future,
// so that Claude Code does not try to refresh it: that is done on the host.
Result<std::string> claude_file_for_guest(std::string_view users_file, const std::string& placeholder);

}  // namespace sbx::secrets
