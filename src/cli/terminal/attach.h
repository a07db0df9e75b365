// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "base/fd.h"
#include "base/result.h"
#include "cli/terminal/detach_keys.h"
#include "cli/terminal/link_watch.h"
#include "cli/terminal/streams.h"
#include "exchange/exchange.h"
#include "wire/exec.h"
#include "wire/session.h"

namespace sbx::cli {

struct AttachOptions {
  bool tty = false;          // keys are bytes; a window size is passed on
  bool interactive = false;  // our standard input is the command's
  DetachKeys detach_keys;
  bool read_only =
      false;  // of a session: what is typed is not sent; interactive means that the detach keys are looked for
  // A page that a program wants to be opened (LinkWatch): what is to be shown about it. Empty: they are passed over.
  std::function<std::string(const std::string& address, LinkAge age)> on_link = {};
};

// By the detach keys: the command runs on, in this session (0: it has none).
struct DetachedByKeys {
  wire::SessionNumber session = 0;
};
struct OutputClosed {};  // EPIPE: the reader of our output has gone
struct Interrupted {
  int signal;
  wire::SessionNumber session = 0;
};
using Outcome = std::variant<wire::ExecExit, DetachedByKeys, OutputClosed, Interrupted>;

// Connects our standard streams with a command in a sandbox (frames, src/wire/frame.h) until it ends.
//
// The two directions are two threads that only block: what comes is written by the caller's, so a slow reader of our
// output stops our reading the connection and by that (backpressure) the command; what is typed is sent by the
// other one, which also passes on signals and the window size. Neither waits for the other, so nothing can deadlock.
//
// Signals: without a terminal INT, TERM, HUP and QUIT go to the command. With one, TERM and HUP are for us, and so is
// that the terminal itself is gone: Interrupted, and the command's session runs on. Of a watcher (read_only) all of
// them are for us. On a terminal, what the command has switched on is switched off again, whatever the end. Fails when
// the connection is lost before the command's end.
Result<Outcome> attach(exchange::Upgraded upgraded, AttachOptions options, const Streams& streams);

// What the command should take for its window: of standard output, or else of standard input. 0 by 0 when neither is
// one.
wire::WindowSize window_of(const Streams& streams);

}  // namespace sbx::cli
