// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx::guest {

// Makes /sys/fs/cgroup ready for containers in the guest; idempotent. A machine that has a kernel of its own gets the
// hierarchy mounted first. In a unified one (v2) a group with processes in it cannot divide what it has, so all that
// are in the guest's own group move to a group below it, and what it has is passed on from there. Programs that are
// started later are born beside init, and so in that group, too.
Result<> prepare_control_groups(const std::string& place = "/sys/fs/cgroup");

}  // namespace sbx::guest
