// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/root.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/file.h"
#include "guest/boot/boot.h"

namespace sbx::guest {
namespace {

constexpr const char* kDisk = "/disk";
constexpr const char* kNewRoot = "/newroot";

// noinit_itable: the kernel would otherwise spend its first minutes filling a sparse disk with empty inode tables.
// discard: what is deleted in the guest is given back to the host.
Result<> mount_disk() {
  TRY_ASSIGN(const std::string device, find_disk(kWritableDisk));
  TRY(make_directories(kDisk, 0755));
  if (::mount(device.c_str(), kDisk, "ext4", MS_NOATIME, "noinit_itable,discard") != 0)
    return fail_errno("mount the disk");
  for (const char* directory : {"/upper", "/work"}) TRY(make_directories(std::string(kDisk) + directory, 0755));
  return Ok{};
}

Result<> mount_overlay() {
  TRY(make_directories(kNewRoot, 0755));
  const char* options = "lowerdir=/lower,upperdir=/disk/upper,workdir=/disk/work,xino=off";
  if (::mount("overlay", kNewRoot, "overlay", 0, options) != 0) return fail_errno("mount the root");
  return Ok{};
}

Result<> take_along(const std::string& directory) {
  const std::string to = kNewRoot + directory;
  TRY(make_directories(to, 0755));
  if (::mount(directory.c_str(), to.c_str(), nullptr, MS_MOVE, nullptr) != 0) return fail_errno("move " + directory);
  return Ok{};
}

Result<> move_in() {
  for (const char* directory : {"/proc", "/sys", "/dev"}) TRY(take_along(directory));
  if (::chdir(kNewRoot) != 0) return fail_errno("enter the root");
  if (::mount(".", "/", nullptr, MS_MOVE, nullptr) != 0) return fail_errno("move the root");
  if (::chroot(".") != 0 || ::chdir("/") != 0) return fail_errno("change the root");
  return Ok{};
}

}  // namespace

Result<Root> Root::enter() {
  TRY(mount_disk());
  TRY_ASSIGN(Fd disk, open_path(kDisk, O_RDONLY | O_DIRECTORY));
  TRY_ASSIGN(Fd upper, open_path(std::string(kDisk) + "/upper", O_RDONLY | O_DIRECTORY));
  TRY(mount_overlay());
  TRY(move_in());
  return Root(std::move(disk), std::move(upper));
}

Result<> Root::mount_directory(const std::string& name, const std::string& target) const {
  const std::string source = "/proc/self/fd/" + std::to_string(disk_.get()) + "/" + name;
  TRY(make_directories(source, 0755));
  TRY(make_directories(target, 0755));
  if (::mount(source.c_str(), target.c_str(), nullptr, MS_BIND, nullptr) != 0) return fail_errno("mount " + target);
  return Ok{};
}

void Root::freeze() {
  ::sync();
  // A disk that is full or broken is left as it is: its journal is for that.
  ::ioctl(disk_.get(), FIFREEZE, 0);
}

}  // namespace sbx::guest
