// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::cli {

inline constexpr std::string_view kUsualDetachKeys = "ctrl-p,ctrl-q";

// Watches what is typed for the sequence that detaches. Keys are held back while they may be the beginning of it.
class DetachKeys {
 public:
  DetachKeys() = default;  // nothing detaches
  // Docker's form: keys with commas between them, each one character or ctrl- with a letter or one of @[\]^_.
  // The empty text means that nothing detaches.
  static Result<DetachKeys> parse(std::string_view text);

  struct Typed {
    std::string bytes;  // for the other side
    bool detach = false;
  };
  Typed filter(std::string_view typed);

 private:
  explicit DetachKeys(std::string sequence) : sequence_(std::move(sequence)) {}

  std::string sequence_;
  std::size_t matched_ = 0;
};

}  // namespace sbx::cli
