// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/confine.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/capabilities.h"
#include "base/descriptor_limit.h"
#include "base/system_call_filter.h"

namespace sbx::gate {
namespace {

constexpr long kAllowed[] = {
    // the loop, the line, the connections
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_recvmmsg,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
    SYS_accept4,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_shutdown,
    SYS_close,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_ppoll,
    SYS_getsockopt,
    SYS_setsockopt,
    SYS_getsockname,
    SYS_getpeername,
    // SQLite, and the files of the name service switch
    SYS_openat,
    SYS_pread64,
    SYS_pwrite64,
    SYS_lseek,
    SYS_ftruncate,
    SYS_fsync,
    SYS_fdatasync,
    SYS_fstat,
    SYS_statx,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_fchmod,
    SYS_getcwd,
    SYS_getdents64,
    SYS_uname,
    SYS_sysinfo,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    // memory, threads, time
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
    SYS_set_robust_list,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getpid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_clock_gettime,
    SYS_gettimeofday,
    SYS_getrandom,
    SYS_restart_syscall,
    SYS_exit,
    SYS_exit_group,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
#ifdef SYS_fstatat
    SYS_fstatat,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
// Where there are older forms of these, the C library and SQLite use them.
#ifdef __x86_64__
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_unlink,
    SYS_rename,
    SYS_epoll_wait,
    SYS_poll,
    SYS_select,
    SYS_time,
#endif
};

// No AF_UNIX: what listens on the host's own sockets, also those without a path, is not the network. The name service
// switch then does without its caches and asks the name servers itself.
// Of signals, only abort()'s own; fcntl without F_SETOWN and F_SETSIG, which signal, too. F_*LK are SQLite's.
std::vector<RestrictedCall> restricted() {
  return {{SYS_socket, 0, {AF_INET, AF_INET6, AF_NETLINK}},
          {SYS_ioctl, 1, {FIONREAD}},
          {SYS_tgkill, 0, {static_cast<std::uint32_t>(::getpid())}},
          {SYS_fcntl, 1, {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD, F_DUPFD_CLOEXEC, F_GETLK, F_SETLK, F_SETLKW}}};
}

Result<> limit_resources(std::uint64_t largest_file) {
  const rlimit none{0, 0};
  const rlimit files{largest_file, largest_file};
  if (::setrlimit(RLIMIT_CORE, &none) != 0) return fail_errno("turn off core dumps");
  if (::setrlimit(RLIMIT_FSIZE, &files) != 0) return fail_errno("bound the size of files");
  raise_descriptor_limit();
  ::signal(SIGXFSZ, SIG_IGN);  // writing fails instead
  return Ok{};
}

}  // namespace

Result<> give_up_privileges(std::uint32_t id, std::uint64_t largest_file) {
  TRY(limit_resources(largest_file));
  TRY(cut_bounding_set());
  if (id != 0) TRY(become(id));
  TRY(drop_capabilities());
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail_errno("refuse new privileges");
  if (::prctl(PR_SET_DUMPABLE, 0) != 0) return fail_errno("become undumpable");
  // After the change of identity, which forgets it. A shim that died before this call is no race that we lose: the
  // line is at EOF then, and that ends the gate, too.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return fail_errno("tie the gate to its shim");
  return Ok{};
}

Result<> filter_system_calls() { return allow_only(kAllowed, restricted()); }

}  // namespace sbx::gate
