// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/confine.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/system_call_filter.h"

namespace sbx::sshagent {
namespace {

constexpr long kSigners[] = {
    SYS_read,       SYS_write,     SYS_readv,          SYS_writev,       SYS_recvfrom,
    SYS_recvmsg,    SYS_sendto,    SYS_sendmsg,        SYS_accept4,      SYS_close,
    SYS_shutdown,   SYS_epoll_ctl, SYS_lseek,          SYS_ftruncate,    SYS_epoll_pwait,
    SYS_getsockopt, SYS_mmap,      SYS_munmap,         SYS_mremap,       SYS_mprotect,
    SYS_madvise,    SYS_brk,       SYS_futex,          SYS_rt_sigaction, SYS_getpid,
    SYS_gettid,     SYS_getuid,    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_clock_gettime,
    SYS_getrandom,  SYS_fstat,     SYS_exit,           SYS_exit_group,   SYS_restart_syscall,
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
#ifdef SYS_newfstatat  // what fstat is
    SYS_newfstatat,
#endif
};

}  // namespace

// SECURITY: fcntl without F_SETOWN and F_SETSIG, which signal.
Result<> filter_signer() {
  return allow_only(kSigners,
                    std::vector<RestrictedCall>{{SYS_tgkill, 0, {static_cast<std::uint32_t>(::getpid())}},
                                                {SYS_fcntl, 1, {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC}}});
}

}  // namespace sbx::sshagent
