// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/vault.h"

#include <openssl/ssl.h>
#include <unistd.h>

#include "base/socket.h"
#include "tls/trust.h"
#include "vault/confine.h"
#include "vault/keeper.h"

namespace sbx::vault {
namespace {

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

}  // namespace

Result<gate::HelperProcess> start(const Options& options, Fd gate) {
  return gate::start_helper({"sandbox-keeper", "the keeper of the vault"},
                            [&](Fd& line) { return serve(options, line, std::move(gate)); });
}

}  // namespace sbx::vault
