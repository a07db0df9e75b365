// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agentloop/world.h"

namespace sbx::agentloop {

// The place that the loop itself runs in: a guest, or the host where the user has asked for that.
class LocalWorld : public World {
 public:
  explicit LocalWorld(std::string kept) : kept_(std::move(kept)) {}

  Result<TurnResult> run(const Turn& turn, const OnPiece& on_piece, const IsCancelled& is_cancelled) override {
    return run_turn(turn, on_piece, is_cancelled);
  }
  Result<Answer> ask(const std::vector<std::string>& command, const std::string& directory,
                     std::string_view input) override;
  std::string kept() const override { return kept_; }

 private:
  std::string kept_;
};

}  // namespace sbx::agentloop
