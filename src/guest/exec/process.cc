// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/process.h"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sbx::guest {
namespace {

// What take_own_signals has changed, and what the loop has blocked since.
void give_back_signals() {
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void set_policy(int policy) {
  const sched_param none{};
  ::sched_setscheduler(0, policy, &none);
}

Result<> limit_processes(std::int64_t most) {
  if (most <= 0) return Ok{};
  const rlimit limit{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
  if (::setrlimit(RLIMIT_NPROC, &limit) != 0) return fail_errno("limit the number of processes");
  return Ok{};
}

}  // namespace

void take_own_signals() {
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  ::signal(SIGPIPE, SIG_IGN);
}

void never_preempt() { set_policy(SCHED_BATCH); }

Result<> start_afresh(std::int64_t most_processes, const DescriptorLimit& descriptors) {
  give_back_signals();
  if (::sched_getscheduler(0) == SCHED_BATCH) set_policy(SCHED_OTHER);
  descriptors.restore();
  ::umask(022);
  if (::setsid() < 0) return fail_errno("start a session");
  return limit_processes(most_processes);
}

}  // namespace sbx::guest
