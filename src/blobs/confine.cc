// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "blobs/confine.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/system_call_filter.h"

namespace sbx::blobs {
namespace {

constexpr long kCaches[] = {
    // the loop, the line, the sockets
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_sendto,
    SYS_sendmsg,
    SYS_close,
    SYS_shutdown,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_getsockopt,
    // the files
    SYS_openat,
    SYS_openat2,
    SYS_fstat,
    SYS_fstatfs,
    SYS_lseek,
    SYS_ftruncate,
    SYS_fsync,
    SYS_sync_file_range,
    SYS_flock,
    SYS_getdents64,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_utimensat,
    // memory, time
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
    SYS_getuid,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_getrandom,
    SYS_restart_syscall,
    SYS_exit,
    SYS_exit_group,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
#ifdef SYS_fstatat
    SYS_fstatat,
#endif
#ifdef __x86_64__
    SYS_open,
#endif
};

}  // namespace

// SECURITY: fcntl without F_SETOWN and F_SETSIG, which signal.
Result<> filter_cache() {
  return allow_only(kCaches,
                    std::vector<RestrictedCall>{{SYS_tgkill, 0, {static_cast<std::uint32_t>(::getpid())}},
                                                {SYS_socketpair, 0, {AF_UNIX}},
                                                {SYS_fcntl, 1, {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC}}});
}

}  // namespace sbx::blobs
