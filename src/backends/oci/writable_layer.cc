// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/writable_layer.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <functional>
#include <memory>

#include "backends/disk_image.h"
#include "backends/mounting.h"
#include "backends/oci/loop_device.h"
#include "backends/oci/project_quota.h"
#include "backends/sharing.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/lock.h"
#include "idmap/idmap.h"

namespace sbx::backends::oci {
namespace {

constexpr unsigned kMoveEmptyPath = 4;  // MOVE_MOUNT_F_EMPTY_PATH; <linux/mount.h> clashes with <sys/mount.h>
constexpr auto kUnmountLimit = std::chrono::seconds(50);  // less than a start may take

std::string disk_of(const MachineSpec& spec) { return spec.state_directory + "/disk"; }
std::string image_of(const MachineSpec& spec) { return spec.state_directory + "/disk.raw"; }

Result<> loop_images_work() {
  TRY(loop_devices_work());
  TRY(has_file_system("ext4"));
  if (!find_program("mkfs.ext4"))
    return fail(Code::kUnavailable, "mkfs.ext4 is not installed", "sudo apt-get install e2fsprogs");
  return Ok{};
}

// Locked for as long as a loop device has it: two mounts of one image would destroy each other's work. The kernel
// unmounts what a machine has left behind when it has written it all to the disk, and that may take its time.
Result<Fd> open_image(const MachineSpec& spec) {
  const std::string path = image_of(spec);
  TRY_ASSIGN(Fd image, open_path(path, O_RDWR | O_NOFOLLOW));
  TRY_ASSIGN(const bool free, lock_file_until(image, path, steady_now() + kUnmountLimit));
  if (!free) return fail(Code::kTimeout, "something still uses " + path, "losetup -j " + path);
  return image;
}

// Whether it has no superblock of ext4: a power cut after the create of a sandbox that never ran.
bool never_was(const std::string& image) {
  constexpr off_t kMagicAt = 1024 + 56;
  const auto file = open_path(image, O_RDONLY | O_NOFOLLOW);
  char magic[2] = {};
  return file && ::pread(file->get(), magic, sizeof magic, kMagicAt) == sizeof magic && magic[0] == 0 && magic[1] == 0;
}

// Not synced, because that would be most of the time that a create takes: the first mount does it, before anything is
// written to it.
Result<> ready_image(const MachineSpec& spec) {
  if (never_was(image_of(spec))) TRY(remove_file(image_of(spec)));
  return ready_disk(image_of(spec), spec.limits.disk, spec.cache_directory, Survives::kKill);
}

Result<Fd> detached_image(const MachineSpec& spec) {
  TRY_ASSIGN(const Fd image, open_image(spec));
  TRY_ASSIGN(const LoopDevice loop, attach_loop_device(image));
  auto tree = detached_ext4(loop.path);
  if (!tree)
    return fail(std::move(tree)
                    .error()
                    .within("mount " + image_of(spec))
                    .with_hint("df " + spec.state_directory +
                               ": a full host cannot keep a sandbox's disk whole; with room, start it again"));
  return tree;
}

Result<> mount_image(const MachineSpec& spec) {
  TRY_ASSIGN(const Fd tree, detached_image(spec));
  return attach_tree(tree, disk_of(spec));
}

// What these return runs between fork and exec: system calls only.
Result<std::function<int()>> entering_mounts_of(pid_t shim) {
  TRY_ASSIGN(Fd mounts, open_path("/proc/" + std::to_string(shim) + "/ns/mnt", O_RDONLY));
  return [mounts = std::make_shared<const Fd>(std::move(mounts))] {
    return ::setns(mounts->get(), CLONE_NEWNS) != 0 ? errno : 0;
  };
}

// Mounted by us and attached in the child, so that it is on no path of the host's; it goes with the last of the two.
Result<std::function<int()>> mounting_image(const MachineSpec& spec) {
  TRY_ASSIGN(Fd tree, detached_image(spec));
  return [tree = std::make_shared<const Fd>(std::move(tree)), at = disk_of(spec)] {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("", "/", nullptr, MS_PRIVATE | MS_REC, nullptr) != 0) return errno;
    const long moved = ::syscall(SYS_move_mount, tree->get(), "", AT_FDCWD, at.c_str(), kMoveEmptyPath);
    return moved != 0 ? errno : 0;
  };
}

}  // namespace

Result<wire::DiskBound> disk_bound_for(const std::string& home) {
  if (!idmap::privileged())
    return fail(Code::kUnavailable, "an ordinary user may neither set a project quota nor mount a disk image",
                "--backend microvm, or as root, or without --disk");
  if (project_quotas_work(home)) return wire::DiskBound::kProjectQuota;
  TRY_WITHIN("there is no project quota, and no disk image", loop_images_work());
  return wire::DiskBound::kLoopImage;
}

Result<> ready_layer(const MachineSpec& spec) {
  if (spec.limits.disk_bound == wire::DiskBound::kNone) return Ok{};
  TRY(make_directories(disk_of(spec), 0755));
  if (spec.limits.disk_bound == wire::DiskBound::kLoopImage) return ready_image(spec);
  TRY_WITHIN("hold the sandbox to its --disk", bound_project(disk_of(spec), spec.limits.disk, spec.id));
  return Ok{};
}

Result<> mount_layer(const MachineSpec& spec) {
  return spec.limits.disk_bound == wire::DiskBound::kLoopImage ? mount_image(spec) : Ok{};
}

Result<HostDirectory> layer_for_reading(const MachineSpec& spec, std::optional<pid_t> shim) {
  HostDirectory layer{disk_of(spec) + "/upper"};
  if (idmap::privileged()) layer.ids = guest_map(spec);
  if (spec.limits.disk_bound != wire::DiskBound::kLoopImage) return layer;
  if (shim) {
    TRY_ASSIGN(layer.before_exec, entering_mounts_of(*shim));
  } else {
    TRY_ASSIGN(layer.before_exec, mounting_image(spec));
  }
  return layer;
}

Result<> remove_layer(const MachineSpec& spec) {
  if (spec.limits.disk_bound == wire::DiskBound::kProjectQuota) TRY(release_project(disk_of(spec)));
  TRY(remove_file(image_of(spec)));
  return idmap::remove_guest_tree(disk_of(spec));
}

}  // namespace sbx::backends::oci
