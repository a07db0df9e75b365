// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/confine.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/capabilities.h"
#include "base/system_call_filter.h"

namespace sbx::shim {
namespace {

// What a relay does: wait, read, write, accept, pass descriptors, reap, allocate. No open, no exec, no socket, no fork.
constexpr long kAllowed[] = {
    SYS_read,          SYS_write,        SYS_readv,
    SYS_writev,        SYS_recvfrom,     SYS_recvmsg,
    SYS_sendto,        SYS_sendmsg,      SYS_accept4,
    SYS_close,         SYS_shutdown,     SYS_epoll_ctl,
    SYS_epoll_pwait,   SYS_fstat,        SYS_ftruncate,
    SYS_lseek,         SYS_getsockopt,   SYS_setsockopt,
    SYS_mmap,          SYS_munmap,       SYS_mremap,
    SYS_mprotect,      SYS_madvise,      SYS_brk,
    SYS_futex,         SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn,  SYS_wait4,        SYS_getpid,
    SYS_gettid,        SYS_getuid,       SYS_pidfd_send_signal,
    SYS_clock_gettime, SYS_getrandom,    SYS_restart_syscall,
    SYS_exit,          SYS_exit_group,
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
#ifdef SYS_poll
    SYS_poll,
#endif
    SYS_ppoll,
#ifdef SYS_newfstatat  // what fstat is
    SYS_newfstatat,
#endif
};

// Processes are signalled by a handle that was opened before, so that only the machine's can be. By number it would be
// any process of the user's; abort() signals its own. SECURITY: fcntl without F_SETOWN and F_SETSIG, which signal, too.
std::vector<RestrictedCall> restricted() {
  return {{SYS_tgkill, 0, {static_cast<std::uint32_t>(::getpid())}},
          {SYS_fcntl, 1, {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC}}};
}

}  // namespace

Result<> confine(std::uint32_t id) {
  if (id != 0) TRY(become(id));
  TRY(drop_capabilities());
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail_errno("refuse new privileges");
  // Another process of the same user must not read a secret out of our memory.
  if (::prctl(PR_SET_DUMPABLE, 0) != 0) return fail_errno("become undumpable");
  return allow_only(kAllowed, restricted());
}

}  // namespace sbx::shim
