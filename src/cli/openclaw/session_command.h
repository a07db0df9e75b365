// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "agentloop/turn.h"
#include "base/result.h"
#include "cli/client/client.h"

// One command of a session, to its end or to that of its time: then all that it has started ends with it, also what has
// left its process group.
namespace sbx::cli {

struct SessionCommand {
  agentloop::Turn turn;
  std::string user;           // in the sandbox; empty: agent
  const Fd* input = nullptr;  // what it reads there, as it comes; null: nothing
};

// SECURITY: the guest is hostile, and may end what watches the command in there, or hide from it. When it has not said
// itself how the command ended, the sandbox is stopped, so that nothing outlives its time.
Result<agentloop::TurnResult> run_in_sandbox(const Client& client, const std::string& sandbox,
                                             const SessionCommand& command, const agentloop::OnPiece& on_piece,
                                             const agentloop::IsCancelled& is_cancelled);

// On this host, with our standard input if the turn says so.
Result<agentloop::TurnResult> run_on_host(const SessionCommand& command, const agentloop::OnPiece& on_piece,
                                          const agentloop::IsCancelled& is_cancelled);

}  // namespace sbx::cli
