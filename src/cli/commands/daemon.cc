// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "base/socket.h"
#include "cli/client/daemon_process.h"
#include "cli/commands/verbs.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

// The daemon that listens on the socket, if there is one.
std::optional<pid_t> daemon_pid(const std::string& socket) {
  const auto connection = connect_unix(socket);
  if (!connection) return std::nullopt;
  const auto peer = peer_of(*connection);
  return peer ? std::optional<pid_t>(peer->pid) : std::nullopt;
}

// False: none was running.
Result<bool> stop_daemon(const Context& context) {
  TRY_ASSIGN(const std::string socket, context.socket_path());
  const auto connection = connect_unix(socket);
  if (!connection) return false;
  TRY(end_daemon(*connection));
  return true;
}

}  // namespace

Result<int> daemon_start(Context& context, const Arguments&) {
  TRY_ASSIGN(const Client client, context.client());
  TRY(client.connect());
  TRY_ASSIGN(const std::string socket, context.socket_path());
  print(socket + "\n");
  return 0;
}

Result<int> daemon_stop(Context& context, const Arguments&) {
  TRY_ASSIGN(const bool was_running, stop_daemon(context));
  note(was_running ? "The daemon has stopped; sandboxes run on" : "The daemon was not running");
  return 0;
}

Result<int> daemon_restart(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const std::string socket, context.socket_path());
  const auto connection = connect_unix(socket);
  if (connection && !restart_by_systemd(*connection)) TRY(end_daemon(*connection));
  return daemon_start(context, arguments);
}

Result<int> daemon_status(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const std::string socket, context.socket_path());
  TRY_ASSIGN(const Home home, Home::find());
  const auto pid = daemon_pid(socket);
  Json json = {{"status", pid ? "running" : "stopped"}, {"socket", socket}, {"logs", home.log()}};
  if (pid) json["pid"] = *pid;
  if (arguments.on("json")) {
    print_json(json);
    return 0;
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, value] : json.items())
    rows.push_back({key, value.is_string() ? value.get<std::string>() : dump(value)});
  print(columns(rows));
  return 0;
}

}  // namespace sbx::cli::verbs
