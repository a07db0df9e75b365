// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/confine.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/system_call_filter.h"
#include "gate/confine.h"
#include "gate/jail.h"

namespace sbx::vault {
namespace {

constexpr long kVaults[] = {
    SYS_read,           SYS_write,           SYS_readv,      SYS_writev,     SYS_recvfrom,  SYS_recvmsg,
    SYS_sendto,         SYS_sendmsg,         SYS_close,      SYS_shutdown,   SYS_epoll_ctl, SYS_epoll_pwait,
    SYS_epoll_create1,  SYS_fstat,
    SYS_lseek,  // the host's trusted certificates
    SYS_ftruncate,      SYS_getsockopt,      SYS_setsockopt, SYS_mmap,       SYS_munmap,    SYS_mremap,
    SYS_mprotect,       SYS_madvise,         SYS_mlock,      SYS_brk,        SYS_futex,     SYS_rt_sigaction,
    SYS_rt_sigprocmask, SYS_rt_sigreturn,    SYS_getpid,     SYS_gettid,     SYS_getuid,    SYS_clock_gettime,
    SYS_getrandom,      SYS_restart_syscall, SYS_exit,       SYS_exit_group,
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

// And a vault is still to be forked, named, bound to our life, confined.
constexpr long kKeepersToo[] = {
    SYS_accept4, SYS_wait4,   SYS_pidfd_open, SYS_pidfd_send_signal, SYS_close_range,
    SYS_prctl,   SYS_seccomp, SYS_mlockall,   SYS_set_robust_list,
#ifdef SYS_rseq
    SYS_rseq,
#endif
};
// What the C library's fork() asks for: no thread, no namespace.
constexpr std::uint32_t kFork = CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;

// SECURITY: fcntl without F_SETOWN and F_SETSIG, which signal. Of sockets only pairs, which lead nowhere.
const std::vector<std::uint32_t> kFcntl = {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GET_SEALS};

Result<> filter(const std::vector<long>& calls, std::vector<RestrictedCall> restricted) {
  restricted.push_back({SYS_fcntl, 1, kFcntl});
  restricted.push_back({SYS_socketpair, 0, {AF_UNIX}});
  return allow_only(calls, restricted);
}

}  // namespace

Result<> give_up_all(std::uint32_t id) {
  const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
  (void)::setrlimit(RLIMIT_MEMLOCK, &unlimited);  // only root may; an ordinary user has what there is
  TRY(gate::enter_empty_jail(id != 0));
  return gate::give_up_privileges(id);
}

// tgkill is abort()'s, and a vault's abort() signals another process than its keeper's.
Result<> filter_keeper() {
  std::vector<long> calls(std::begin(kVaults), std::end(kVaults));
  calls.insert(calls.end(), std::begin(kKeepersToo), std::end(kKeepersToo));
  return filter(calls, {{SYS_clone, 0, {kFork}}});
}

Result<> confine_vault() {
  // A vault that outlives its keeper would not be told of changes.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return fail_errno("tie the vault to its keeper");
  // All of its memory, as it comes to be used: secrets are also where requests are written and responses searched.
  (void)::mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
  return filter({std::begin(kVaults), std::end(kVaults)}, {});
}

}  // namespace sbx::vault
