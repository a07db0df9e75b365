// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "wire/sandbox.h"

namespace sbx::sandboxes {

// Checks what a create asks to see of the host and makes it canonical: sources exist and are directories (or, for -v,
// plain files), are not / and neither in nor above `home`; targets are absolute and normalised, unique, and not /proc,
// /sys, /dev or / themselves. A workspace has the same path on both sides: its canonical one.
Result<std::vector<wire::Mount>> checked_workspaces(const std::vector<wire::Mount>& workspaces,
                                                    const std::string& home);
Result<std::vector<wire::Mount>> checked_mounts(const std::vector<wire::Mount>& mounts, const std::string& home);
Result<> check_targets_differ(const std::vector<wire::Mount>& workspaces, const std::vector<wire::Mount>& mounts);

// What may have changed since: every source is still there.
Result<> check_present(const std::vector<wire::Mount>& mounts);
bool any_missing(const std::vector<wire::Mount>& workspaces);

}  // namespace sbx::sandboxes
