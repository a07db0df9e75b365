// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "cli/terminal/attach.h"
#include "cli/terminal/signals.h"
#include "wire/frame.h"

namespace sbx::cli {

// What goes to the command: standard input, signals, the window size. run() is a thread's body; the others may be
// called from another thread. It writes to the connection and never reads from it; detaching or being interrupted
// shuts the connection down, which is how the reading side learns of it.
class AttachInput {
 public:
  // `connection` and `streams` are borrowed. Call before any thread is started (signals.h).
  static Result<AttachInput> create(const Fd& connection, AttachOptions options, const Streams& streams);

  void run();
  void stop();           // ends run(), also when it is blocked in sending
  void signal_closed();  // our output has no reader: the command gets SIGPIPE, as it would from a pipe
  bool detached() const { return state_->detached; }
  int interrupted_by() const { return state_->signal; }

 private:
  struct State {
    std::atomic<bool> detached = false;
    std::atomic<int> signal = 0;
    std::mutex sending;  // one frame at a time
  };

  AttachInput(const Fd& connection, AttachOptions options, const Streams& streams, SignalReader signals, Fd stop);
  bool step();
  bool take_input();
  bool send_typed(std::string_view typed);
  bool take_signals();
  bool take_signal(int number);
  bool terminal_gone();
  bool interrupt(int number);
  bool send(wire::Kind kind, std::string_view payload);
  bool send_frame(std::string_view frame);
  void hang_up();

  const Fd& connection_;
  AttachOptions options_;
  const Streams& streams_;
  SignalReader signals_;
  Fd stop_;
  bool reading_;
  std::unique_ptr<char[]> buffer_;  // room for a header, then a payload
  std::unique_ptr<State> state_ = std::make_unique<State>();
};

}  // namespace sbx::cli
