// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/fd.h"
#include "channel/link.h"
#include "loop/lifeline.h"
#include "shim/guest.h"

namespace sbx::shim {

// An exec with a client and without a terminal: frames between the client's connection, which the daemon has handed to
// us, and a stream of the guest. Nothing is buffered beyond one window: when the client does not read, the guest gets
// no credit; when the program does not read, the client's socket is not read.
class Attached : public Listener {
 public:
  using OnDone = std::function<void(const wire::ExecExit* exit)>;  // null: the client left first
  using OnLeft = std::function<void()>;

  Attached(loop::Loop& loop, Guest& guest, Fd client, const wire::ExecRequest& request, OnDone on_done);
  ~Attached() override;

  void opened(std::int64_t pid) override;
  void output(wire::Kind kind, std::string_view bytes) override;
  void writable() override;
  void ended(const wire::ExecExit& exit) override;

  // When it is done: whether the client may be sending input that is not read any more. A socket that is closed with
  // unread bytes is reset, and a client whose write fails for that (Node.js) never reads the exit. So its bytes are
  // read and dropped until it closes, or for two seconds.
  bool may_be_sending() const { return input_open_; }
  void see_off(OnLeft on_left);

 private:
  void client_frame(const wire::Header& header, std::string_view payload);
  void take_stdin(std::string_view bytes);
  void client_gone();
  void drained();
  void finish();
  void left();

  Guest& guest_;
  OnDone on_done_;
  std::unique_ptr<channel::Link> client_;
  std::uint32_t stream_ = 0;
  std::string held_;        // stdin that the channel did not take; the client is paused
  std::size_t unsent_ = 0;  // given to the client's link, not yet in its socket
  std::unique_ptr<wire::ExecExit> exit_;
  bool over_ = false;
  bool input_open_;  // stdin is connected, and its end has not come
  OnLeft on_left_;   // once it is seen off
  loop::Lifeline lifeline_;
};

}  // namespace sbx::shim
