// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "cli/client/client.h"
#include "cli/terminal/callback_port.h"
#include "cli/terminal/link_watch.h"
#include "wire/exec.h"

namespace sbx::cli {

// The logins of one session on a terminal: a page that a program wants to be opened is shown to the user, and the port
// that the program waits on leads into the sandbox, one at a time. Nothing is opened by itself: the user does that.
class Logins {
 public:
  Logins(const Client& client, std::string sandbox) : client_(client), sandbox_(std::move(sandbox)) {}

  // What to print on the terminal about an address that the guest has written; empty: it is none to be shown. An old
  // one is, if its program still waits for the browser: it was shown to a client that has left, and its port with it.
  std::string take(const std::string& address, LinkAge age);

 private:
  static constexpr int kMostShown = 20;  // in a session: a program could fill the screen with them

  Result<exchange::Upgraded> ask(wire::Builtin builtin, std::uint16_t port) const;
  bool is_waited_for(std::uint16_t port) const;
  Result<> open_port(std::uint16_t port);

  const Client& client_;
  const std::string sandbox_;
  std::unique_ptr<CallbackPort> port_;
  int shown_ = 0;
};

}  // namespace sbx::cli
