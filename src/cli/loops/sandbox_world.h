// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "agentloop/world.h"
#include "cli/client/client.h"
#include "cli/loops/answer.h"
#include "exchange/exec_stream.h"

namespace sbx::cli {

// A sandbox as the world of a loop: everything runs in it, by execs like any other client's. A daemon that is restarted
// is waited for, a sandbox that has ended is started again by the next exec.
class SandboxWorld : public agentloop::World {
 public:
  SandboxWorld(const Client& client, std::string sandbox, AskLimits limits = {})
      : client_(client), sandbox_(std::move(sandbox)), limits_(std::move(limits)) {}

  Result<agentloop::TurnResult> run(const agentloop::Turn& turn, const agentloop::OnPiece& on_piece,
                                    const agentloop::IsCancelled& is_cancelled) override;
  Result<Answer> ask(const std::vector<std::string>& command, const std::string& directory,
                     std::string_view input) override;
  std::string kept() const override { return "/tmp/.sandbox-loops"; }

 private:
  Result<agentloop::TurnResult> run_once(const agentloop::Turn& turn, const agentloop::OnPiece& on_piece,
                                         const agentloop::IsCancelled& is_cancelled);
  Result<exchange::ExecStream> open(std::vector<std::string> command, const std::string& directory,
                                    bool has_input) const;

  const Client& client_;
  std::string sandbox_;
  AskLimits limits_;
};

}  // namespace sbx::cli
