// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::secrets {

// What a guest has as ~/.codex/auth.json in the place of the user's own: the placeholder for each token, and of the
// identity token the plan and the account, which codex wants to read. It says that it was refreshed far in the future,
// because codex in the guest cannot.
Result<std::string> codex_file_for_guest(std::string_view users_file, const std::string& placeholder);

}  // namespace sbx::secrets
