// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/result.h"

namespace sbx {

// A place where the tests may end this process as if by kill -9: SANDBOXD_FAULT=create.recorded does so there, and
// SANDBOXD_FAULT=create.recorded:error makes it return true once, for a step that should fail with an error instead.
// SANDBOXD_FAULT=create.:stop stops it (SIGSTOP) at each place whose name begins so, until the test lets it go on.
// Without the variable it costs one comparison. fault_points.cc lists every place, so that a test can walk them all.
bool fault_here(std::string_view point);

// The same for a step of a sequence: the injected error, if there is one.
Result<> fault_step(std::string_view point);

}  // namespace sbx
