// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "guest/boot/accounts.h"
#include "guest/boot/own_root.h"

namespace sbx::guest {

// Writes a file in the agent's home that is the agent's, with the directories that are missing. Nothing happens where
// the home, or the file's directory, is a mount of the user's.
Result<> write_home_file(const OwnRoot& root, const std::string& path, std::string_view content, const Account& agent);

}  // namespace sbx::guest
