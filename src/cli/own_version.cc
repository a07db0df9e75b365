// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/own_version.h"

// Changes with every commit: no other source includes it.
#include "version.h"

namespace sbx::cli {

std::string_view own_version() { return SANDBOXD_VERSION; }
std::string_view own_commit() { return SANDBOXD_COMMIT; }

}  // namespace sbx::cli
