// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/log_maker.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/log.h"
#include "gate/confine.h"
#include "netlog/writer.h"

namespace sbx::gate {
namespace {

Result<> make_log(const std::string& path, pid_t gate) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return fail_errno("tie the log's maker to the gate");
  if (::getppid() != gate) return fail(Code::kUnavailable, "the gate has ended");
  TRY_WITHIN("confine the log's maker", filter_system_calls());
  TRY(netlog::Writer::open(path));
  return Ok{};
}

}  // namespace

Result<Fd> start_log_maker(const std::string& path, const Fd& lock) {
  TRY_ASSIGN(Pipe done, make_pipe());
  ::signal(SIGCHLD, SIG_IGN);  // the kernel reaps it
  const pid_t gate = ::getpid();
  const pid_t maker = ::fork();
  if (maker < 0) return fail_errno("fork");
  if (maker != 0) return std::move(done.read);
  close_all_but({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, lock.get(), done.write.get()});
  const auto made = make_log(path, gate);
  if (!made) log_error("{}", made.error().what());
  ::_exit(0);
}

}  // namespace sbx::gate
