// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/shared_directories.h"
#include "sandboxes/mount_rules.h"
#include "wire/settings.h"

namespace sbx::sandboxes {

// What a new sandbox may be given.
struct MountRules {
  bool allow_home = false;
  const HostPlaces& places;
  const SharedDirectories& shared;  // with other sandboxes
};

// Checks what a create asks to see of the host and makes it canonical: sources exist and are directories (or, for -v,
// plain files), no link that another sandbox may have made leads to them (found_path.h), targets are unique, and both
// are such as mount_rules.h allows. A workspace has the same path on both sides: its canonical one.
Result<std::vector<wire::Mount>> checked_workspaces(const std::vector<wire::Mount>& workspaces,
                                                    const MountRules& rules);
Result<std::vector<wire::Mount>> checked_mounts(const std::vector<wire::Mount>& mounts, const MountRules& rules);
std::vector<wire::Mount> all_mounts(const std::vector<wire::Mount>& workspaces, const std::vector<wire::Mount>& mounts);
Result<> check_targets_differ(const std::vector<wire::Mount>& workspaces, const std::vector<wire::Mount>& mounts);

// At each start, for a record from before there was a rule, or a host that has changed.
Result<> check_still_allowed(const std::vector<wire::Mount>& mounts, bool allow_home, const HostPlaces& places);
// What may have changed since: every source is still there.
Result<> check_present(const std::vector<wire::Mount>& mounts);
bool any_missing(const std::vector<wire::Mount>& workspaces);

}  // namespace sbx::sandboxes
