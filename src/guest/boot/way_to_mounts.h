// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

namespace sbx::guest {

// Lets the agent pass through the directories above every mount: a workspace below /root, which Debian keeps at 0700,
// could not be entered otherwise. Only directories on the guest's own root are changed (own_root.h), never one of the
// host's, and they become passable, not readable.
Result<> open_way_to_mounts();

}  // namespace sbx::guest
