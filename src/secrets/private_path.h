// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx::secrets {

// kForbidden unless the path is a directory (0700) or a plain file (0600) that belongs to this user and that no other
// can read or change. The hint is what to type. kNotFound: nothing is there.
Result<> check_private_directory(const std::string& path);
Result<> check_private_file(const std::string& path);

}  // namespace sbx::secrets
