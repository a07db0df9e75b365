// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "wire/guest.h"

namespace sbx::guest {

// Mounts /proc, /sys, /dev and the other file systems of the kernel's where nothing is mounted yet. In a container the
// runtime has mounted them; where it left one out and we may not mount, its choice stands.
Result<> mount_system();

// Holds /tmp to so many bytes, unless the machine's memory allows less anyway. 0: as it is.
Result<> bound_tmp(std::int64_t bytes);

// Mounts the host's directories and files that the backend shares (virtiofs), making what they go to: on
// file systems of the guest's own, never in what is shared.
Result<> mount_shared(const std::vector<wire::GuestMount>& mounts);

bool is_mount_point(const std::string& path);

}  // namespace sbx::guest
