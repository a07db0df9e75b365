// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/context.h"

namespace sbx::cli {

std::string Context::as_typed(std::string command) const {
  constexpr std::string_view kOurs = "sandbox ";
  return command.starts_with(kOurs) ? program + command.substr(kOurs.size() - 1) : command;
}

Result<std::string> Context::socket_path() const {
  if (!socket.empty()) return socket;
  TRY_ASSIGN(const Home home, Home::find());
  return home.socket();
}

Result<Client> Context::client() const {
  if (!socket.empty()) return Client(socket, std::nullopt);
  TRY_ASSIGN(Home home, Home::find());
  return Client(home.socket(), home);
}

Result<Client> Context::client_of_running_daemon() const {
  TRY_ASSIGN(std::string path, socket_path());
  return Client(std::move(path), std::nullopt);
}

}  // namespace sbx::cli
