// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "agentloop/turn.h"
#include "base/clock.h"
#include "exchange/exec_stream.h"

namespace sbx::cli {

// With a ralph that should have ended the command itself, and again with a command that was killed.
inline constexpr std::chrono::seconds kTurnPatience(15);

// The stream of a `ralph __turn` in a sandbox: passes the command's output on, and knows the line at the end that is
// ralph's own.
//
// SECURITY: the guest is hostile. It may end ralph or keep it from ending the command: then the command is ended from
// outside, some time after its limit, and what the guest says counts for nothing. If even that has no effect it is
// left.
class TurnStream {
 public:
  // `input`: what the command reads, up to its end, as it comes; null: nothing more.
  TurnStream(exchange::ExecStream stream, const agentloop::Turn& turn, const Fd* input = nullptr,
             std::chrono::milliseconds patience = kTurnPatience)
      : stream_(std::move(stream)), turn_(turn), input_(input), patience_(patience) {}

  Result<agentloop::TurnResult> follow(const agentloop::OnPiece& on_piece, const agentloop::IsCancelled& is_cancelled);
  // Whether ralph itself has said how the command ended, or that it could not be run.
  bool told() const { return told_; }

 private:
  bool is_given_up() const;
  agentloop::TurnResult timed(agentloop::TurnResult result) const;
  void take_input();
  Result<> consider(const agentloop::IsCancelled& is_cancelled);
  void take_error(std::string_view bytes, const agentloop::OnPiece& on_piece);
  Result<agentloop::TurnResult> result(const agentloop::OnPiece& on_piece);

  exchange::ExecStream stream_;
  const agentloop::Turn& turn_;
  const Fd* input_;
  const std::chrono::milliseconds patience_;
  SteadyTime started_ = steady_now();
  SteadyTime heard_of_ = started_;
  std::optional<SteadyTime> cancelled_;
  agentloop::TurnEnd ended_by_us_ = agentloop::TurnEnd::kExited;
  SteadyTime killed_{};  // if so
  std::string last_;     // of standard error, from the last mark on
  bool told_ = false;
};

}  // namespace sbx::cli
