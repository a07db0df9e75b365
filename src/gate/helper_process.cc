// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/helper_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "base/log.h"
#include "base/socket.h"
#include "gate/line.h"
#include "gate/message.h"

namespace sbx::gate {
namespace {

constexpr auto kStartLimit = std::chrono::seconds(20);

[[noreturn]] void run_helper(const HelperName& name, const HelperWork& work, Fd line) {
  ::prctl(PR_SET_NAME, name.process);
  // The shim receives these, and the helper ends with the shim.
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::signal(number, SIG_IGN);
  const auto served = work(line);
  if (served) ::_exit(0);
  log_error("{} ends: {}", name.words, served.error().what());
  if (line) (void)send_packet(line, encode(GaveUp{served.error()}));
  ::_exit(1);
}

Result<> await_ready(const Fd& line, const std::string& name) {
  TRY(set_timeouts(line, kStartLimit));
  const auto packet = receive_packet(line);
  if (!packet) return fail(Code::kInternal, name + " ended without a word");
  TRY_ASSIGN(const auto message, decode_from_gate(*packet));
  if (const auto* gave_up = std::get_if<GaveUp>(&message)) return fail(gave_up->why);
  if (!std::holds_alternative<Ready>(message)) return fail(Code::kInternal, name + " speaks nonsense");
  return Ok{};
}

}  // namespace

Result<HelperProcess> start_helper(const HelperName& name, const HelperWork& work) {
  TRY_ASSIGN(SocketPair line, make_line());
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno("fork");
  if (pid == 0) run_helper(name, work, std::move(line.theirs));
  line.theirs.reset();
  if (auto ready = await_ready(line.ours, name.words); !ready) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return fail(std::move(ready).error());
  }
  return HelperProcess{pid, std::move(line.ours)};
}

}  // namespace sbx::gate
