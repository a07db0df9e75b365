// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx::guest {

// Puts init itself at this path below /run/sandbox, as a program of another name: which it is, it sees by that. Nothing
// happens if it is there.
Result<> put_own_program(const std::string& path);

}  // namespace sbx::guest
