// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/result.h"

namespace sbx::guest {

// All processes of the guest but init and the caller, stopped (SIGSTOP) for as long as this lives, so that their files
// can be copied. Those that were stopped before stay so afterwards. The caller is root.
//   TRY_ASSIGN(const Hold hold, Hold::all());
//
// Parents are stopped before their children and go on after them: a shell that saw a child stop would take the terminal
// from it.
class Hold {
 public:
  static Result<Hold> all();
  ~Hold();
  Hold(Hold&& other) noexcept = default;
  Hold& operator=(Hold&& other) = delete;

 private:
  Hold() = default;
  Result<bool> stop_others();  // whether there were some

  std::vector<pid_t> stopped_;
};

}  // namespace sbx::guest
