// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/process.h"

#include <openssl/crypto.h>
#include <unistd.h>

#include "base/socket.h"
#include "gate/confine.h"
#include "gate/jail.h"
#include "sshagent/confine.h"
#include "sshagent/fingerprint.h"
#include "sshagent/signer.h"

namespace sbx::sshagent {
namespace {

// What needs a path comes before the jail, and what needs a system call that the filter forbids before the filter.
Result<> serve(const Options& options, Fd& line, Fd gate) {
  close_all_but({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, line.get(), gate.get()});
  const uid_t owner = ::getuid();
  TRY_ASSIGN(Fd control, listen_unix(options.state_directory + "/signer.sock"));
  // The system's configuration could load code into us, and the first hash loads what it needs.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  (void)fingerprint("");
  TRY_WITHIN("jail the signer", gate::enter_empty_jail(options.id != 0));
  TRY_WITHIN("confine the signer", gate::give_up_privileges(options.id));
  TRY_ASSIGN(const auto loop, loop::Loop::create());
  TRY_WITHIN("confine the signer", filter_signer());
  const Signer signer({*loop, std::move(line), std::move(gate), std::move(control), owner});
  return loop->run();
}

}  // namespace

Result<gate::HelperProcess> start(const Options& options, Fd gate) {
  return gate::start_helper({"sandbox-signer", "the signer"},
                            [&](Fd& line) { return serve(options, line, std::move(gate)); });
}

}  // namespace sbx::sshagent
