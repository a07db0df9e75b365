// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/vault.h"

#include <openssl/ssl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "base/log.h"
#include "base/socket.h"
#include "gate/line.h"
#include "gate/message.h"
#include "tls/trust.h"
#include "vault/confine.h"
#include "vault/keeper.h"

namespace sbx::vault {
namespace {

constexpr auto kStartLimit = std::chrono::seconds(20);

// What needs a path comes before the jail, and what needs a system call that the filter forbids before the filter.
Result<> serve(const Options& options, Fd& line, Fd gate) {
  close_all_but({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, line.get(), gate.get()});
  const uid_t owner = ::getuid();
  TRY_ASSIGN(Fd control, listen_unix(options.state_directory + "/vault.sock"));
  Fd roots = tls::Trust::open_bundle();
  // Here, so that no vault has to: it reads files. The system's configuration could load code into us.
  OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  TRY_WITHIN("confine the keeper", give_up_all(options.id));
  TRY_ASSIGN(const auto loop, loop::Loop::create());
  TRY_WITHIN("confine the keeper", filter_keeper());
  const Keeper keeper({*loop, std::move(control), owner, std::move(line), std::move(gate), std::move(roots)});
  return loop->run();
}

[[noreturn]] void run_keeper(const Options& options, Fd line, Fd gate) {
  ::prctl(PR_SET_NAME, "sandbox-keeper");
  // Its life is the shim's, which hears these.
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::signal(number, SIG_IGN);
  const auto served = serve(options, line, std::move(gate));
  if (served) ::_exit(0);
  log_error("the keeper of the vault ends: {}", served.error().what());
  if (line) (void)gate::send_packet(line, encode(gate::GaveUp{served.error()}));
  ::_exit(1);
}

Result<> await_ready(const Fd& line) {
  TRY(set_timeouts(line, kStartLimit));
  const auto packet = gate::receive_packet(line);
  if (!packet) return fail(Code::kInternal, "the keeper of the vault ended without a word");
  TRY_ASSIGN(const auto message, gate::decode_from_gate(*packet));
  if (const auto* gave_up = std::get_if<gate::GaveUp>(&message)) return fail(gave_up->why);
  if (!std::holds_alternative<gate::Ready>(message)) return fail(Code::kInternal, "the keeper speaks nonsense");
  return Ok{};
}

}  // namespace

Result<Started> start(const Options& options, Fd gate) {
  TRY_ASSIGN(SocketPair line, gate::make_line());
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno("fork");
  if (pid == 0) run_keeper(options, std::move(line.theirs), std::move(gate));
  line.theirs.reset();
  if (auto ready = await_ready(line.ours); !ready) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return fail(std::move(ready).error());
  }
  return Started{pid, std::move(line.ours)};
}

}  // namespace sbx::vault
