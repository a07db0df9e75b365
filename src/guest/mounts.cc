// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/mounts.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/file.h"

namespace sbx::guest {
namespace {

struct SystemMount {
  const char* target;
  const char* type;
  unsigned long flags;
  const char* options;
};

// In this order, because /dev/pts and /dev/shm lie on /dev.
constexpr SystemMount kSystemMounts[] = {
    {"/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr},
    {"/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, nullptr},
    {"/dev", "devtmpfs", MS_NOSUID, "mode=0755"},
    {"/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620,gid=5"},
    {"/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"},
    {"/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"},
    {"/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755"},
};

Result<> mount_one(const SystemMount& item) {
  if (is_mount_point(item.target)) return Ok{};
  TRY(make_directories(item.target, 0755));
  if (::mount(item.type, item.target, item.type, item.flags, item.options) == 0 || errno == EPERM) return Ok{};
  return fail_errno(std::string("mount ") + item.target);
}

}  // namespace

bool is_mount_point(const std::string& path) {
  struct stat here {};
  struct stat above {};
  if (::lstat(path.c_str(), &here) != 0 || ::lstat((path + "/..").c_str(), &above) != 0) return false;
  return here.st_dev != above.st_dev || here.st_ino == above.st_ino;
}

Result<> mount_system() {
  for (const auto& item : kSystemMounts) TRY(mount_one(item));
  return Ok{};
}

Result<> mount_shared(const std::vector<wire::GuestMount>& mounts) {
  for (const auto& item : mounts) {
    TRY(make_directories(item.target, 0755));
    unsigned long flags = MS_NOSUID | MS_NODEV;
    if (item.readonly) flags |= MS_RDONLY;
    if (::mount(item.tag.c_str(), item.target.c_str(), "virtiofs", flags, nullptr) != 0)
      return fail_errno("mount " + item.tag + " on " + item.target);
  }
  return Ok{};
}

}  // namespace sbx::guest
