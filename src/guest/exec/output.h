// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "base/fd.h"
#include "channel/link.h"
#include "loop/loop.h"
#include "wire/frame.h"

namespace sbx::guest {

// The way out of one exec, which its stdout and stderr share: how much may still be sent, and whether a client listens.
struct Outlet {
  channel::Link& link;
  std::uint32_t stream;
  std::span<char> buffer;  // for reading into; shared by all execs, so its content does not last
  std::size_t credit = wire::kWindow;
  std::uint64_t passed = 0;  // bytes, ever
  bool listening = true;     // otherwise bytes are read and thrown away, so that the program does not stall

  std::size_t room() const;  // how much may be read now; 0: wait for credit or for the link
  void pass(wire::Kind kind, std::size_t size);
};

// A larger pipe means fewer, larger frames. Where the guest's allowance for pipes is used up, it stays as it is.
void enlarge_pipe(const Fd& end);

// One descriptor that a program writes to: read when there is something and room for it, and passed on as frames. One
// read per event, so that a busy program does not keep the others waiting.
class Output {
 public:
  Output(loop::Loop& loop, Fd fd, wire::Kind kind, Outlet& outlet, std::function<void()> on_end);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void start();   // to watch it
  void resume();  // there may be room again
  // The program has ended: what it has left is read now, without waiting to be told of it. Others may still write.
  void read_rest();
  bool ended() const { return !fd_; }
  bool stalled() const { return stalled_; }  // it would read, if there were room
  const Fd& fd() const { return fd_; }

 private:
  bool read_some();  // there may be more
  void end();

  loop::Loop& loop_;
  Fd fd_;
  wire::Kind kind_;
  Outlet& outlet_;
  std::function<void()> on_end_;
  bool watched_ = false;
  bool stalled_ = false;
  bool enlarged_ = false;
};

}  // namespace sbx::guest
