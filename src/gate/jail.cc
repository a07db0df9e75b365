// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/jail.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/fd.h"
#include "base/file.h"
#include "base/format.h"
#include "base/jail_root.h"

// <sys/mount.h> cannot be included beside <linux/mount.h> on every libc: the two clash.
extern "C" int mount(const char*, const char*, const char*, unsigned long, const void*) noexcept;

namespace sbx::gate {
namespace {

constexpr std::uint64_t kHarmless = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;

// Whole directories, because what is in them is replaced while we run: resolv.conf with every network that a laptop
// meets. Those that a host does not have are left out.
struct System {
  const char* path;
  std::uint64_t attributes;
};
constexpr System kSystem[] = {
    {"/etc", kHarmless | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC},
    {"/usr/lib", kHarmless | MOUNT_ATTR_RDONLY},  // modules of the name service switch
    {"/usr/lib64", kHarmless | MOUNT_ATTR_RDONLY},
    {"/lib", kHarmless | MOUNT_ATTR_RDONLY},
    {"/lib64", kHarmless | MOUNT_ATTR_RDONLY},
    {"/nix/store", kHarmless | MOUNT_ATTR_RDONLY},
    {"/run/systemd/resolve", kHarmless | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC},
    {"/run/NetworkManager", kHarmless | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC},
    {"/run/resolvconf", kHarmless | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC},
    {"/run/connman", kHarmless | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC},
    {"/mnt/wsl", kHarmless | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC},
};

struct JailEntry {
  std::string path;
  Fd tree;           // attached there, or
  std::string link;  // what a symbolic link there says
};

Result<> write_map(const char* file, const std::string& text) {
  TRY_ASSIGN(const Fd map, open_path(sbx::format("/proc/self/{}", file), O_WRONLY));
  return write_all(map, text);
}

Result<> enter_namespaces(bool privileged) {
  const unsigned uid = ::geteuid();
  const unsigned gid = ::getegid();
  if (::unshare(privileged ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0)
    return fail(Error::from_errno("enter namespaces").with_hint("sandbox diagnose"));
  if (!privileged) {
    TRY(write_map("setgroups", "deny"));
    TRY(write_map("uid_map", sbx::format("{0} {0} 1", uid)));
    TRY(write_map("gid_map", sbx::format("{0} {0} 1", gid)));
  }
  if (::mount("", "/", nullptr, MS_PRIVATE | MS_REC, nullptr) != 0) return fail_errno("detach the mounts");
  return Ok{};
}

Result<Fd> copy_tree(const Fd& place, std::uint64_t attributes) {
  Fd tree(static_cast<int>(
      ::syscall(SYS_open_tree, place.get(), "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE)));
  if (!tree) return fail_errno("copy a mount");
  mount_attr change{};
  change.attr_set = attributes;
  if (::syscall(SYS_mount_setattr, tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &change, sizeof change) != 0)
    return fail_errno("protect a mount");
  return tree;
}

Result<std::optional<JailEntry>> entry_for(const System& system) {
  struct stat info {};
  if (::lstat(system.path, &info) != 0) return std::optional<JailEntry>();
  if (S_ISLNK(info.st_mode)) {
    std::array<char, 256> target{};
    if (::readlink(system.path, target.data(), target.size() - 1) < 0) return fail_errno("read a link");
    return JailEntry{system.path, {}, target.data()};
  }
  TRY_ASSIGN(const Fd place, open_path(system.path, O_PATH | O_DIRECTORY));
  TRY_ASSIGN(Fd tree, copy_tree(place, system.attributes));
  return JailEntry{system.path, std::move(tree), {}};
}

// Opened here and not before: only mounts of the namespace that we are in can be copied.
Result<std::vector<JailEntry>> system_entries() {
  std::vector<JailEntry> entries;
  for (const System& system : kSystem) {
    auto entry = entry_for(system);
    if (!entry) return fail(std::move(entry).error().within(system.path));
    if (*entry) entries.push_back(std::move(**entry));
  }
  return entries;
}

Result<JailEntry> own_entry(const std::string& directory) {
  TRY_ASSIGN(const Fd place, open_path(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW));
  TRY_ASSIGN(Fd tree, copy_tree(place, kHarmless | MOUNT_ATTR_NOEXEC));
  return JailEntry{kJailedDirectory, std::move(tree), {}};
}

Result<> place(const JailEntry& entry) {
  const std::string at = kJailRoot + entry.path;
  if (!entry.tree) {
    TRY(make_directories(at.substr(0, at.rfind('/')), 0755));
    return ::symlink(entry.link.c_str(), at.c_str()) == 0 ? Result<>() : fail_errno("link " + entry.path);
  }
  TRY(make_directories(at, 0755));
  if (::syscall(SYS_move_mount, entry.tree.get(), "", AT_FDCWD, at.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0)
    return fail_errno("attach " + entry.path);
  return Ok{};
}

}  // namespace

Result<> enter_jail(const std::string& directory, bool privileged) {
  TRY(enter_namespaces(privileged));
  TRY_ASSIGN(auto entries, system_entries());
  TRY_ASSIGN(JailEntry own, own_entry(directory));
  entries.push_back(std::move(own));
  TRY(mount_jail_root(MS_NOEXEC));
  for (const JailEntry& entry : entries) TRY(place(entry));
  return enter_jail_root(MS_NOEXEC);
}

Result<> enter_bare_jail(const std::string& directory, bool privileged) {
  TRY(enter_namespaces(privileged));
  TRY_ASSIGN(const JailEntry own, own_entry(directory));
  TRY(mount_jail_root(MS_NOEXEC));
  TRY(place(own));
  return enter_jail_root(MS_NOEXEC);
}

Result<> enter_empty_jail(bool privileged) {
  TRY(enter_namespaces(privileged));
  TRY(mount_jail_root(MS_NOEXEC));
  return enter_jail_root(MS_NOEXEC);
}

}  // namespace sbx::gate
