// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx {

// A new, nearly empty root for a process with one thread and a mount namespace of its own, whose mounts are private:
//   TRY(mount_jail_root(MS_NOEXEC));
//   ... fill kJailRoot ...
//   TRY(enter_jail_root(MS_NOEXEC));
// kJailRoot is hidden in that namespace from the first step on: what is needed of it has been opened before.
inline constexpr const char* kJailRoot = "/tmp";

// A tmpfs that knows no set-user-id and no devices, nor what `more_flags` (MS_*) take away.
Result<> mount_jail_root(unsigned long more_flags = 0);
// Makes it read-only, changes the root to it and leaves the old one for good.
Result<> enter_jail_root(unsigned long more_flags = 0);

}  // namespace sbx
