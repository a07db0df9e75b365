// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/fd.h"
#include "loop/lifeline.h"
#include "shim/guest.h"
#include "shim/output_log.h"
#include "streams/socket_stream.h"

namespace sbx::shim {

// An exec whose standard input and output are a socket, as they are: an MCP server, and its client in another sandbox.
// Standard error goes to the log. Neither side is outrun (backpressure). A client that sends no more, or is gone, ends
// the program: its input ends, then it is asked to (TERM), then it is killed.
class Piped final : public Listener, streams::Stream::Listener {
 public:
  using OnDone = std::function<void(const wire::ExecExit& exit)>;  // the program has ended; may destroy us

  // The socket must not block.
  Piped(loop::Loop& loop, Guest& guest, OutputLog& log, Fd client, const wire::ExecRequest& request, OnDone on_done);

  void opened(std::int64_t) override {}
  void output(wire::Kind kind, std::string_view bytes) override;
  void writable() override;
  void ended(const wire::ExecExit& exit) override;

 private:
  // Of the client.
  void received(std::string_view bytes) override;
  void ended() override;
  void failed(const Error& why) override;
  void drained() override;

  void pump();
  void end_program();
  void finish();

  Guest& guest_;
  OutputLog& log_;
  OnDone on_done_;
  std::unique_ptr<streams::SocketStream> client_;
  std::uint32_t stream_ = 0;
  std::string held_;        // input that the channel did not take; the client is paused
  std::size_t unsent_ = 0;  // given to the client's socket, not yet in it
  bool gone_ = false;       // the client's connection is broken
  bool is_ending_ = false;  // the program is
  std::unique_ptr<wire::ExecExit> exit_;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::shim
