// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "images/bootstrap.h"
#include "images/build_log.h"

namespace sbx::images {

// Makes the recipe's tree in `root`, an empty directory, and returns the digest of the archive that it came in. Scratch
// files go to `work`. `lock` stays open in every process that writes there, so that the lock is free only when the
// last of them is gone. On failure the caller removes both directories.
Result<std::string> build_tree(const Recipe& recipe, const std::string& work, const std::string& root, const Fd& lock,
                               BuildLog& log);

}  // namespace sbx::images
