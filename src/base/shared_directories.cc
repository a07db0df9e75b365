// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/shared_directories.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace sbx {
namespace {

constexpr int kDeepestDirectory = 4096;  // more levels than a path of the longest length has

Result<struct statx> mount_status_of(const Fd& directory) {
  struct statx status {};
  if (::statx(directory.get(), "", AT_EMPTY_PATH, STATX_INO | STATX_MNT_ID, &status) != 0)
    return fail_errno("look at a directory");
  return status;
}

dev_t device_of(const struct statx& status) { return makedev(status.stx_dev_major, status.stx_dev_minor); }

// Inode and device are not enough: a directory may be mounted in itself.
bool is_same(const struct statx& one, const struct statx& two) {
  return one.stx_ino == two.stx_ino && device_of(one) == device_of(two) && one.stx_mnt_id == two.stx_mnt_id;
}

}  // namespace

void SharedDirectories::add(const std::string& path, const std::string& sandbox) {
  const auto directory = open_without_links(path, O_PATH | O_DIRECTORY);
  struct stat info {};
  if (directory && ::fstat(directory->get(), &info) == 0)
    sandboxes_.emplace(std::pair(info.st_dev, info.st_ino), sandbox);
}

std::string SharedDirectories::sandbox_of(dev_t device, ino_t inode) const {
  const auto found = sandboxes_.find({device, inode});
  return found == sandboxes_.end() ? std::string() : found->second;
}

Result<std::string> SharedDirectories::sandbox_around(const Fd& directory) const {
  TRY_ASSIGN(Fd current, open_beneath(directory, ".", O_PATH | O_DIRECTORY));
  TRY_ASSIGN(struct statx status, mount_status_of(current));
  for (int level = 0; level < kDeepestDirectory; ++level) {
    if (std::string sandbox = sandbox_of(device_of(status), status.stx_ino); !sandbox.empty()) return sandbox;
    Fd parent(::openat(current.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!parent) return fail_errno("look above a directory");
    TRY_ASSIGN(const struct statx above, mount_status_of(parent));
    if (is_same(status, above)) return std::string();
    current = std::move(parent);
    status = above;
  }
  return fail(Code::kTooLarge, "a directory is nested too deeply");
}

}  // namespace sbx
