// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/mounting.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

#include "base/file.h"

// <sys/mount.h> cannot be included beside <linux/mount.h> on every libc: the two clash.
extern "C" int mount(const char*, const char*, const char*, unsigned long, const void*) noexcept;

namespace sbx::backends {
namespace {

Result<> write_map(pid_t pid, const char* which, const std::vector<idmap::Range>& ranges) {
  std::string text;
  for (const auto& range : ranges)
    text +=
        std::to_string(range.inside) + " " + std::to_string(range.outside) + " " + std::to_string(range.count) + "\n";
  TRY_ASSIGN(const Fd file, open_path("/proc/" + std::to_string(pid) + "/" + which, O_WRONLY));
  return write_all(file, text);
}

[[noreturn]] void hold_namespace(const Pipe& ready, const Pipe& done) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  char ok = ::unshare(CLONE_NEWUSER) == 0 ? 1 : 0;
  (void)!::write(ready.write.get(), &ok, 1);
  ::close(done.write.get());
  (void)!::read(done.read.get(), &ok, 1);
  ::_exit(0);
}

Result<Fd> mapped_namespace(pid_t holder, const idmap::IdMap& map) {
  TRY(write_map(holder, "uid_map", map.uids));
  TRY(write_map(holder, "gid_map", map.gids));
  return open_path("/proc/" + std::to_string(holder) + "/ns/user", O_RDONLY);
}

Result<Fd> open_file_system(const std::string& name) {
  Fd context(static_cast<int>(::syscall(SYS_fsopen, name.c_str(), FSOPEN_CLOEXEC)));
  if (!context) return fail_errno("open a file system of type " + name);
  return context;
}

struct Option {
  const char* name;
  const char* value;  // null: a flag
};

Result<> set_options(const Fd& context, std::initializer_list<Option> options) {
  for (const Option& option : options) {
    const auto command = option.value == nullptr ? FSCONFIG_SET_FLAG : FSCONFIG_SET_STRING;
    if (::syscall(SYS_fsconfig, context.get(), command, option.name, option.value, 0) != 0)
      return fail_errno(std::string("set ") + option.name);
  }
  return Ok{};
}

Result<Fd> mounted(const Fd& context, unsigned attributes) {
  if (::syscall(SYS_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
    return fail_errno("open the file system");
  Fd tree(static_cast<int>(::syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC, attributes)));
  if (!tree) return fail_errno("mount the file system");
  return tree;
}

std::string by_descriptor(const Fd& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

}  // namespace

Result<> make_mounts_private() {
  if (::mount("", "/", nullptr, MS_SLAVE | MS_REC, nullptr) != 0)
    return fail_errno("detach the mounts from the host's");
  return Ok{};
}

Result<> mount_tmpfs(const std::string& at) {
  if (::mount("tmpfs", at.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") != 0)
    return fail_errno("mount a tmpfs on " + at);
  return Ok{};
}

Result<Fd> detached_tmpfs(std::int64_t bytes) {
  const auto made = [&]() -> Result<Fd> {
    TRY_ASSIGN(const Fd context, open_file_system("tmpfs"));
    TRY(set_options(context, {{"size", std::to_string(bytes).c_str()}, {"mode", "0755"}}));
    return mounted(context, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
  };
  auto tree = made();
  if (!tree) return fail(std::move(tree).error().within("make a tmpfs of " + std::to_string(bytes) + " bytes"));
  return tree;
}

Result<Fd> detached_ext4(const std::string& device) {
  TRY_ASSIGN(const Fd context, open_file_system("ext4"));
  TRY(set_options(context, {{"source", device.c_str()},
                            {"errors", "remount-ro"},
                            {"discard", nullptr},           // the host gets back what is deleted
                            {"noinit_itable", nullptr}}));  // a blank disk has nothing to initialise
  return mounted(context, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
}

Result<> has_file_system(const std::string& name) {
  TRY(open_file_system(name));
  return Ok{};
}

Result<> mount_overlay(const std::string& at, const std::string& lower, const Fd& upper, const Fd& work) {
  // By descriptor, because a comma or a colon in a path would end the option.
  std::string options = "lowerdir=" + lower + ",upperdir=" + by_descriptor(upper) + ",workdir=" + by_descriptor(work);
  if (!idmap::privileged()) options += ",userxattr";
  if (::mount("overlay", at.c_str(), "overlay", 0, options.c_str()) != 0) return fail_errno("mount the guest's root");
  return Ok{};
}

Result<> mount_view(const std::string& at, const Fd& directory, const std::string& empty) {
  // An overlay without a writable layer wants two others.
  std::string options = "lowerdir=" + by_descriptor(directory) + ":" + empty;
  if (!idmap::privileged()) options += ",userxattr";
  if (::mount("overlay", at.c_str(), "overlay", MS_RDONLY | MS_NOSUID | MS_NODEV, options.c_str()) != 0)
    return fail_errno("mount a view of a directory");
  return Ok{};
}

Result<Fd> clone_tree(const Fd& place) {
  Fd tree(static_cast<int>(
      ::syscall(SYS_open_tree, place.get(), "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE)));
  if (!tree) return fail_errno("copy a mount");
  return tree;
}

Result<> attach_tree(const Fd& tree, const std::string& at) {
  if (::syscall(SYS_move_mount, tree.get(), "", AT_FDCWD, at.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0)
    return fail_errno("attach a mount at " + at);
  return Ok{};
}

Result<> attach_tree(const Fd& tree, const Fd& place) {
  constexpr unsigned kBoth = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
  if (::syscall(SYS_move_mount, tree.get(), "", place.get(), "", kBoth) != 0) return fail_errno("attach a mount");
  return Ok{};
}

Result<> change_tree(const Fd& tree, const MountChange& change) {
  mount_attr attributes{};
  attributes.attr_set = change.set;
  attributes.attr_clr = change.clear;
  if (change.user_namespace >= 0) attributes.userns_fd = static_cast<std::uint64_t>(change.user_namespace);
  if (::syscall(SYS_mount_setattr, tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes) == 0)
    return Ok{};
  const bool not_supported = errno == EINVAL && (change.set & MOUNT_ATTR_IDMAP) != 0;
  if (!not_supported) return fail_errno("change a mount");
  return fail(
      Code::kUnavailable, "its file system cannot map ids, as a sandbox that root makes needs",
      "use a directory on ext4, xfs, btrfs or, from Linux 6.3, tmpfs; or directories that one ordinary user owns; or "
      "run sandbox as an ordinary user");
}

Result<Fd> user_namespace_with(const idmap::IdMap& map) {
  TRY_ASSIGN(Pipe ready, make_pipe());
  TRY_ASSIGN(Pipe done, make_pipe());
  const pid_t holder = ::fork();
  if (holder < 0) return fail_errno("fork");
  if (holder == 0) hold_namespace(ready, done);
  ready.write.reset();
  char ok = 0;
  const ssize_t n = ::read(ready.read.get(), &ok, 1);
  Result<Fd> result = n == 1 && ok == 1
                          ? mapped_namespace(holder, map)
                          : Result<Fd>(fail(Code::kUnavailable, "make a user namespace", "sandbox diagnose"));
  done.write.reset();
  ::waitpid(holder, nullptr, 0);
  return result;
}

Result<> make_owned_by_guest_root(const std::vector<std::string>& directories) {
  // We are guest 1000 here with every capability of the namespace, so chown to its root is allowed.
  for (const std::string& directory : directories) {
    TRY(make_directories(directory, 0755));
    if (::chown(directory.c_str(), 0, 0) != 0) return fail_errno("chown " + directory);
  }
  return Ok{};
}

}  // namespace sbx::backends
