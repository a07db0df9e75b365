// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/jail.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <iterator>
#include <span>
#include <vector>

#include "base/capabilities.h"
#include "base/system_call_filter.h"

namespace sbx::layers {
namespace {

// SECURITY: CAP_SYS_ADMIN is for trusted.overlay.opaque, which only the host's root may set and see; the filter below
// leaves nothing else that it would be good for.
constexpr int kUnpacking[] = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID, CAP_SETFCAP, CAP_SYS_ADMIN};
constexpr int kPacking[] = {CAP_DAC_READ_SEARCH, CAP_SYS_ADMIN};

constexpr long kForBoth[] = {
    SYS_read,
    SYS_readv,
    SYS_write,
    SYS_writev,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_statx,
    SYS_newfstatat,
    SYS_openat,
    SYS_readlinkat,
    SYS_fgetxattr,
    SYS_flistxattr,
    // memory, time, the end
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_brk,
    SYS_futex,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_getpid,
    SYS_gettid,
    SYS_geteuid,
    SYS_getuid,
    SYS_getegid,
    SYS_getgid,
    SYS_clock_gettime,
    SYS_getrandom,
    SYS_restart_syscall,
    SYS_exit,
    SYS_exit_group,
};

// chmod of a link, which fails, but as it should; C libraries have it from 2.39 on.
constexpr long kFchmodat2 = 452;

constexpr long kForUnpacking[] = {
    kFchmodat2,    SYS_pwrite64,  SYS_mkdirat,   SYS_mknodat,      SYS_symlinkat, SYS_linkat,   SYS_unlinkat,
    SYS_faccessat, SYS_ftruncate, SYS_fchmod,    SYS_fchmodat,     SYS_fchown,    SYS_fchownat, SYS_utimensat,
    SYS_setxattr,  SYS_lsetxattr, SYS_fsetxattr, SYS_fremovexattr, SYS_chdir,     SYS_fchdir,   SYS_umask,
// Where there are older forms of these, libarchive and the C library use them.
#ifdef __x86_64__
    SYS_open,      SYS_stat,      SYS_lstat,     SYS_mkdir,        SYS_rmdir,     SYS_mknod,    SYS_symlink,
    SYS_link,      SYS_unlink,    SYS_readlink,  SYS_access,       SYS_chmod,     SYS_chown,    SYS_lchown,
#endif
};

constexpr long kForPacking[] = {SYS_getdents64, SYS_openat2};

struct Confinement {
  std::span<const int> capabilities;
  std::span<const long> calls;  // besides those of both
  unsigned long mount_flags;
  rlim_t files;  // a packer has one open for each directory that it is in
};

Confinement confinement_for(Task task) {
  if (task == Task::kUnpack) return {kUnpacking, kForUnpacking, 0, 64};
  return {kPacking, kForPacking, MS_RDONLY | MS_NODEV | MS_NOSUID | MS_NOEXEC, 4096};
}

Result<> enter_root(const std::string& directory, unsigned long mount_flags) {
  if (::unshare(CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) != 0) return fail_errno("make namespaces");
  if (::mount("", "/", nullptr, MS_PRIVATE | MS_REC, nullptr) != 0)
    return fail_errno("detach the mounts from the host's");
  if (::mount(directory.c_str(), directory.c_str(), nullptr, MS_BIND, nullptr) != 0)
    return fail_errno("mount " + directory);
  if (mount_flags != 0 &&
      ::mount(nullptr, directory.c_str(), nullptr, MS_REMOUNT | MS_BIND | mount_flags, nullptr) != 0)
    return fail_errno("limit the mount of " + directory);
  if (::chdir(directory.c_str()) != 0) return fail_errno("enter " + directory);
  if (::syscall(SYS_pivot_root, ".", ".") != 0) return fail_errno("change the root to " + directory);
  // The old root lies on top of the new one now.
  if (::umount2(".", MNT_DETACH) != 0) return fail_errno("leave the old root");
  if (::chdir("/") != 0) return fail_errno("enter the root");
  return Ok{};
}

Result<> limit_resources(rlim_t open_files) {
  const rlimit none{0, 0};
  const rlimit files{open_files, open_files};
  if (::setrlimit(RLIMIT_CORE, &none) != 0) return fail_errno("turn off core dumps");
  if (::setrlimit(RLIMIT_NOFILE, &files) != 0) return fail_errno("bound the open files");
  return Ok{};
}

}  // namespace

Result<> enter_jail(const std::string& directory, Task task) {
  const Confinement confinement = confinement_for(task);
  TRY(enter_root(directory, confinement.mount_flags));
  TRY(limit_resources(confinement.files));
  TRY(cut_bounding_set());
  TRY(drop_capabilities_but(confinement.capabilities));
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail_errno("refuse new privileges");
  std::vector<long> calls(std::begin(kForBoth), std::end(kForBoth));
  calls.insert(calls.end(), confinement.calls.begin(), confinement.calls.end());
  const RestrictedCall fcntls{SYS_fcntl, 1, {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC}};
  return allow_only(calls, {&fcntls, 1});
}

}  // namespace sbx::layers
