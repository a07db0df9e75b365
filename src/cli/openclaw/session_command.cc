// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/openclaw/session_command.h"

#include <chrono>

#include "base/text.h"
#include "base/value.h"
#include "cli/client/remote.h"
#include "cli/loops/turn_stream.h"
#include "cli/views/output.h"
#include "wire/guest.h"

namespace sbx::cli {
namespace {

constexpr std::chrono::seconds kStopGrace(1);

Result<exchange::ExecStream> open_command(const Client& client, const std::string& sandbox,
                                          const SessionCommand& command) {
  wire::ExecRequest request;
  request.command = {std::string(wire::kRalph), std::string(agentloop::kTurnWithInputWord)};
  request.directory = command.turn.directory;
  request.user = command.user;
  request.interactive = true;
  TRY_ASSIGN(exchange::Upgraded upgraded, open_exec(client, sandbox, request));
  exchange::ExecStream stream(std::move(upgraded));
  TRY(stream.write(agentloop::turn_head(text_of(command.turn))));
  if (command.input == nullptr) TRY(stream.end_input());
  return stream;
}

}  // namespace

Result<agentloop::TurnResult> run_in_sandbox(const Client& client, const std::string& sandbox,
                                             const SessionCommand& command, const agentloop::OnPiece& on_piece,
                                             const agentloop::IsCancelled& is_cancelled) {
  TRY_ASSIGN(exchange::ExecStream opened, open_command(client, sandbox, command));
  TurnStream stream(std::move(opened), command.turn, command.input);
  const auto result = stream.follow(on_piece, is_cancelled);
  if (stream.told()) return result;
  note("the command's supervisor was killed, so processes may be left: stopping sandbox " + sandbox);
  const auto stopped = stop_sandbox(client, sandbox, kStopGrace);
  if (!stopped) note("it cannot be stopped: " + printable(stopped.error().what()));
  return result;
}

Result<agentloop::TurnResult> run_on_host(const SessionCommand& command, const agentloop::OnPiece& on_piece,
                                          const agentloop::IsCancelled& is_cancelled) {
  return agentloop::run_turn(command.turn, on_piece, is_cancelled);
}

}  // namespace sbx::cli
