// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/home.h"
#include "base/result.h"
#include "cli/client/client.h"
#include "cli/terminal/streams.h"

namespace sbx::cli {

// What every command gets from main.
struct Context {
  std::string program = "sandbox";  // as the user typed it: "sandbox" or "docker sandbox"
  std::string socket;               // --socket; empty: the one in our home
  Streams streams;

  // A text with command lines of ours in it, such as the daemon's "sandbox ls", as this user types them: "docker
  // sandbox ls".
  std::string as_typed(const std::string& text) const;
  // To standard error, with its hint as this user would type it.
  void print_error(const Error& error) const;
  Result<std::string> socket_path() const;
  // A daemon is started if none answers, unless the user chose a socket.
  Result<Client> client() const;
  // Never starts a daemon.
  Result<Client> client_of_running_daemon() const;
};

}  // namespace sbx::cli
