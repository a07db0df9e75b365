// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::gate {

// What the shim calls a process that it forks beside itself: gate, keeper, signer.
struct HelperName {
  const char* process;  // as ps shows it: "sandbox-gate"
  const char* words;    // as errors have it: "the gate"
};

// One that serves. Closing the line ends it; the caller of start_helper() reaps it.
struct HelperProcess {
  pid_t pid;
  Fd line;  // the shim's end
};

// Runs in the helper. It says Ready on its line (gate/message.h) when it serves, and returns when the shim is gone. It
// may move the line away; an error from before that reaches the shim.
using HelperWork = std::function<Result<>(Fd& line)>;

// Forks it from the calling process, which must have one thread, and waits until it serves:
//   TRY_ASSIGN(HelperProcess gate, start_helper({"sandbox-gate", "the gate"}, [&](Fd& line) { return serve(line); }));
// A helper that cannot is killed and reaped, and the error is what it said.
Result<HelperProcess> start_helper(const HelperName& name, const HelperWork& work);

}  // namespace sbx::gate
