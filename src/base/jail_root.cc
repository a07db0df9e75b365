// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/jail_root.h"

#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sbx {

Result<> mount_jail_root(unsigned long more_flags) {
  if (::mount("tmpfs", kJailRoot, "tmpfs", MS_NOSUID | MS_NODEV | more_flags, "mode=0755,size=1m") != 0)
    return fail_errno("mount a root");
  return Ok{};
}

Result<> enter_jail_root(unsigned long more_flags) {
  const unsigned long read_only = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | more_flags;
  if (::mount(nullptr, kJailRoot, nullptr, read_only, nullptr) != 0) return fail_errno("make the root read only");
  if (::chdir(kJailRoot) != 0) return fail_errno("enter the root");
  if (::syscall(SYS_pivot_root, ".", ".") != 0) return fail_errno("change the root");
  // The old root lies on top of the new one now.
  if (::umount2(".", MNT_DETACH) != 0) return fail_errno("leave the old root");
  if (::chdir("/") != 0) return fail_errno("enter the root");
  return Ok{};
}

}  // namespace sbx
