// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agentloop/turn.h"
#include "base/result.h"

namespace sbx::agentloop {

// Where the programs of a loop run: a sandbox, seen from the host, or the very place that the loop itself runs in.
class World {
 public:
  virtual ~World() = default;

  virtual Result<TurnResult> run(const Turn& turn, const OnPiece& on_piece, const IsCancelled& is_cancelled) = 0;

  struct Answer {
    int code = 0;
    std::string out;
    std::string err;
  };
  // A short program of the loop's own, in a directory, with this on its standard input.
  virtual Result<Answer> ask(const std::vector<std::string>& command, const std::string& directory,
                             std::string_view input) = 0;
  // Where turns are kept there.
  virtual std::string kept() const = 0;
};

// The content of a file there; kNotFound if there is none.
Result<std::string> read_there(World& world, const std::string& directory, const std::string& path);
// Whole or not at all.
Result<> write_there(World& world, const std::string& directory, const std::string& path, std::string_view content);

}  // namespace sbx::agentloop
