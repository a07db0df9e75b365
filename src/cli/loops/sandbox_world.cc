// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/loops/sandbox_world.h"

#include <thread>

#include "base/log.h"
#include "base/value.h"
#include "cli/client/remote.h"
#include "cli/loops/turn_stream.h"
#include "wire/guest.h"

namespace sbx::cli {
namespace {

using agentloop::TurnResult;

constexpr int kMostTries = 5;
constexpr std::chrono::seconds kStopGrace{2};
constexpr std::chrono::milliseconds kBetweenTries(500);

// A sandbox that is gone stays gone.
bool may_pass(const Error& error) {
  return error.code() == Code::kInternal || error.code() == Code::kUnavailable || error.code() == Code::kTimeout;
}

template <class Try, class GivesUp>
auto try_often(const Try& once, const GivesUp& gives_up) {
  for (int tries = 1;; ++tries) {
    auto result = once();
    if (result || tries == kMostTries || !may_pass(result.error()) || gives_up()) return result;
    log_debug("{}: trying again", result.error().what());
    std::this_thread::sleep_for(kBetweenTries * tries);
  }
}

}  // namespace

Result<exchange::ExecStream> SandboxWorld::open(std::vector<std::string> command, const std::string& directory,
                                                bool has_input) const {
  wire::ExecRequest request;
  request.command = std::move(command);
  request.directory = directory;
  request.interactive = has_input;
  TRY_ASSIGN(exchange::Upgraded upgraded, open_exec(client_, sandbox_, request));
  return exchange::ExecStream(std::move(upgraded));
}

Result<TurnResult> SandboxWorld::run_once(const agentloop::Turn& turn, const agentloop::OnPiece& on_piece,
                                          const agentloop::IsCancelled& is_cancelled) {
  TRY_ASSIGN(exchange::ExecStream stream,
             open({std::string(wire::kRalph), std::string(agentloop::kTurnWord)}, turn.directory, true));
  offer_all(stream, text_of(turn));
  TurnStream followed(std::move(stream), turn);
  TRY_ASSIGN(const TurnResult result, followed.follow(on_piece, is_cancelled));
  // SECURITY: without ralph's word that all has ended, something may live on beyond its iteration, and ends with the
  // sandbox. The next exec starts it again.
  if (!followed.told()) TRY(stop_sandbox(client_, sandbox_, kStopGrace));
  return result;
}

Result<TurnResult> SandboxWorld::run(const agentloop::Turn& turn, const agentloop::OnPiece& on_piece,
                                     const agentloop::IsCancelled& is_cancelled) {
  // One that is not kept would be run a second time.
  if (turn.kept.empty()) return run_once(turn, on_piece, is_cancelled);
  return try_often([&] { return run_once(turn, on_piece, is_cancelled); }, [] { return false; });
}

Result<agentloop::World::Answer> SandboxWorld::ask(const std::vector<std::string>& command,
                                                   const std::string& directory, std::string_view input) {
  const SteadyTime deadline = steady_now() + limits_.longest;
  const auto ask_once = [&]() -> Result<Answer> {
    TRY_ASSIGN(exchange::ExecStream stream, open(command, directory, !input.empty()));
    return answer_of(std::move(stream), input, deadline, limits_.is_cancelled);
  };
  return try_often(ask_once, [&] { return steady_now() >= deadline || limits_.is_cancelled(); });
}

}  // namespace sbx::cli
