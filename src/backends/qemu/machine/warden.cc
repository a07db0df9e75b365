// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/warden.h"

#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "base/fd.h"
#include "base/system_call_filter.h"

namespace sbx::backends::qemu {
namespace {

constexpr long kAllowedForWarden[] = {SYS_read, SYS_pidfd_send_signal, SYS_rt_sigreturn, SYS_restart_syscall,
                                      SYS_exit, SYS_exit_group};

bool keep_only_kill() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> sets{};
  sets[0].permitted = sets[0].effective = 1u << CAP_KILL;
  return ::syscall(SYS_capset, &header, sets.data()) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_DUMPABLE, 0) == 0 && allow_only(kAllowedForWarden).has_value();
}

[[noreturn]] void watch(const std::vector<int>& pidfds, int leash) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::signal(number, SIG_IGN);
  std::vector<int> kept = pidfds;
  kept.push_back(leash);
  close_all_but(std::move(kept));
  char byte = 0;
  // What could not be confined kills at once: a machine without its warden must not run.
  if (keep_only_kill()) (void)!::read(leash, &byte, 1);
  for (const int pidfd : pidfds) ::syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, nullptr, 0);
  ::_exit(0);
}

}  // namespace

Result<Warden> Warden::post(const std::vector<const Fd*>& pidfds) {
  TRY_ASSIGN(Pipe leash, make_pipe());
  std::vector<int> numbers;
  for (const Fd* pidfd : pidfds) numbers.push_back(pidfd->get());
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno("fork");
  if (pid == 0) watch(numbers, leash.read.get());
  return Warden(pid, std::move(leash.write));
}

}  // namespace sbx::backends::qemu
