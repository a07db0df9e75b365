// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx {

// flock(2), exclusive: held until the last copy of this open file, in any process, is closed. `path` is for errors.
Result<> lock_file(const Fd& file, const std::string& path);          // waits
Result<bool> try_lock_file(const Fd& file, const std::string& path);  // false: another open file has it
Result<bool> lock_file_until(const Fd& file, const std::string& path, SteadyTime deadline);

}  // namespace sbx
