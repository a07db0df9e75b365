// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "base/fd.h"
#include "base/result.h"
#include "cli/client/exchange.h"
#include "cli/terminal/detach_keys.h"
#include "cli/terminal/streams.h"
#include "wire/exec.h"

namespace sbx::cli {

struct AttachOptions {
  bool tty = false;          // keys are bytes; a window size is passed on
  bool interactive = false;  // our standard input is the command's
  DetachKeys detach_keys;
};

struct DetachedByKeys {};  // by the detach keys: the command runs on
struct OutputClosed {};    // EPIPE: the reader of our output has gone
struct Interrupted {
  int signal;
};
using Outcome = std::variant<wire::ExecExit, DetachedByKeys, OutputClosed, Interrupted>;

// Connects our standard streams with a command in a sandbox (frames, src/wire/frame.h) until it ends.
//
// The two directions are two threads that only block: what comes is written by the caller's, so a slow reader of our
// output stops our reading the connection and by that (backpressure) the command; what is typed is sent by the
// other one, which also passes on signals and the window size. Neither waits for the other, so nothing can deadlock.
//
// Signals: without a terminal INT, TERM, HUP and QUIT go to the command. With one, TERM and HUP are for us:
// Interrupted. Fails when the connection is lost before the command's end.
Result<Outcome> attach(Upgraded upgraded, AttachOptions options, const Streams& streams);

// What the command should take for its window: of standard output, or else of standard input. 0 by 0 when neither is
// one.
wire::WindowSize window_of(const Streams& streams);

}  // namespace sbx::cli
