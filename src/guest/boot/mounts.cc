// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/mounts.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/fd.h"
#include "base/file.h"
#include "guest/boot/await.h"

namespace sbx::guest {
namespace {

struct SystemMount {
  const char* target;
  const char* type;
  unsigned long flags;
  const char* options;
};

// In this order, because /dev/pts and /dev/shm lie on /dev. What is in them is in memory, so all of them together leave
// a quarter of it: a kernel without any reads its programs again and again, and neither gets on nor gives up.
constexpr SystemMount kSystemMounts[] = {
    {"/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr},
    {"/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, nullptr},
    {"/dev", "devtmpfs", MS_NOSUID, "mode=0755"},
    {"/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620,gid=5"},
    {"/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=25%"},
    {"/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=40%"},
    {"/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=10%"},
};

constexpr const char* kShared = "/run/sandbox-shared";

Result<> mount_one(const SystemMount& item) {
  if (is_mount_point(item.target)) return Ok{};
  TRY(make_directories(item.target, 0755));
  if (::mount(item.type, item.target, item.type, item.flags, item.options) == 0 || errno == EPERM) return Ok{};
  return fail_errno(std::string("mount ") + item.target);
}

// A bind mount takes its flags from where it came from; read only is one of its own. The host does not rely on it.
Result<> make_read_only(const std::string& target) {
  if (::mount(nullptr, target.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) != 0)
    return fail_errno("make " + target + " read only");
  return Ok{};
}

// SECURITY: one mount of the user's may lie in another, or behind a link to it. What is made there is made on the host.
Result<> check_own(const Fd& directory, const std::string& path) {
  struct statfs info {};
  if (::fstatfs(directory.get(), &info) != 0) return fail_errno("look at " + path);
  if (info.f_type == FUSE_SUPER_MAGIC)  // as all that the host shares, and nothing that init has mounted
    return fail(Code::kForbidden, path + " lies in another mount, where it does not exist", "make it on the host");
  return Ok{};
}

Result<Fd> open_directory_above(const std::string& path);

Result<Fd> make_directory(const std::string& path) {
  auto directory = open_path(path, O_PATH | O_DIRECTORY);
  if (directory || directory.error().code() != Code::kNotFound || path == "/") return directory;
  TRY_ASSIGN(const Fd parent, open_directory_above(path));
  TRY(check_own(parent, path));
  const std::string leaf = path.substr(path.rfind('/') + 1);
  if (::mkdirat(parent.get(), leaf.c_str(), 0755) != 0 && errno != EEXIST) return fail_errno("make directory " + path);
  return open_path(path, O_PATH | O_DIRECTORY);
}

Result<Fd> open_directory_above(const std::string& path) {
  return make_directory(path.substr(0, std::max<std::size_t>(1, path.rfind('/'))));
}

Result<Fd> make_file(const std::string& path) {
  auto file = open_path(path, O_PATH);
  if (file || file.error().code() != Code::kNotFound) return file;
  TRY_ASSIGN(const Fd parent, open_directory_above(path));
  TRY(check_own(parent, path));
  const std::string leaf = path.substr(path.rfind('/') + 1);
  const Fd made(::openat(parent.get(), leaf.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!made) return fail_errno("make " + path);
  return open_path(path, O_PATH);
}

Result<Fd> make_place(const std::string& source, const std::string& target) {
  struct stat info {};
  if (::stat(source.c_str(), &info) != 0) return fail_errno("find what goes to " + target);
  return S_ISDIR(info.st_mode) ? make_directory(target) : make_file(target);
}

Result<> place(const wire::GuestMount& item) {
  const std::string source = std::string(kShared) + "/" + item.tag;
  TRY_ASSIGN(const Fd target, make_place(source, item.target));
  const std::string at = "/proc/self/fd/" + std::to_string(target.get());
  if (::mount(source.c_str(), at.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
    return fail_errno("mount " + item.target);
  return item.readonly ? make_read_only(item.target) : Ok{};
}

// EINVAL: no device has that tag, yet.
std::optional<int> mount_device() {
  if (::mount(wire::kSharedTag, kShared, "virtiofs", MS_NOSUID | MS_NODEV, nullptr) == 0) return 0;
  return errno == EINVAL ? std::nullopt : std::optional(errno);
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

Result<> bound_tmp(std::int64_t bytes) {
  if (bytes == 0) return Ok{};
  struct statfs has {};
  if (::statfs("/tmp", &has) != 0) return fail_errno("look at /tmp");
  if (static_cast<std::int64_t>(has.f_blocks) * has.f_bsize <= bytes) return Ok{};
  const std::string size = "size=" + std::to_string(bytes);
  if (::mount(nullptr, "/tmp", nullptr, MS_REMOUNT | MS_NOSUID | MS_NODEV, size.c_str()) != 0)
    return fail_errno("bound /tmp");
  return Ok{};
}

Result<> mount_shared(const std::vector<wire::GuestMount>& mounts) {
  if (mounts.empty()) return Ok{};
  TRY(make_directories(kShared, 0700));
  TRY_ASSIGN(const int error, look_until_found("the device of the host's directories", mount_device));
  if (error != 0) return fail_errno("mount the host's directories", error);
  for (const auto& item : mounts) TRY(place(item));
  // What has been placed stays; the way to it that has no name in the configuration goes.
  if (::umount2(kShared, MNT_DETACH) != 0) return fail_errno("unmount the host's directories");
  ::rmdir(kShared);
  return Ok{};
}

}  // namespace sbx::guest
