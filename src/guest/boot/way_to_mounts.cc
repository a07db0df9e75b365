// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/way_to_mounts.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <string>

#include "guest/boot/mount_points.h"
#include "guest/boot/own_root.h"

namespace sbx::guest {

Result<> open_way_to_mounts() {
  TRY_ASSIGN(const OwnRoot root, OwnRoot::open());
  for (const std::string& path : directories_above_mounts("")) {
    const auto directory = root.open_own(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!directory) continue;  // on a mount of the host's or of init's
    struct stat info {};
    if (::fstat(directory->get(), &info) != 0) return fail_errno("stat " + path);
    if ((info.st_mode & S_IXOTH) != 0) continue;
    if (::fchmod(directory->get(), (info.st_mode & 07777) | S_IXOTH) != 0) return fail_errno("open the way to " + path);
  }
  return Ok{};
}

}  // namespace sbx::guest
