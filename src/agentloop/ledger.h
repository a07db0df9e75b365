// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "agentloop/state.h"
#include "base/result.h"

namespace sbx::agentloop {

// What a loop writes down, and what its user tells it meanwhile.
class Ledger {
 public:
  virtual ~Ledger() = default;

  virtual Result<> save(const State& state) = 0;
  // What the user has added for the next iteration. It stays taken until a prompt is kept.
  virtual Result<std::string> take_context() = 0;
  // The prompt of an iteration, so that one that is begun again is given the same.
  virtual Result<> keep_prompt(std::int64_t iteration, const std::string& prompt) = 0;
  virtual std::optional<std::string> prompt(std::int64_t iteration) const = 0;
  virtual void show(std::int64_t iteration, std::string_view text) = 0;
  virtual bool is_cancelled() const = 0;
  virtual bool is_paused() const = 0;
  // How many iterations there may be, if the user can change that while the loop runs.
  virtual std::optional<std::int64_t> most() const { return std::nullopt; }
};

}  // namespace sbx::agentloop
