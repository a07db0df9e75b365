// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "base/fd.h"
#include "loop/lifeline.h"
#include "loop/loop.h"

namespace sbx::guest {

// Connects to a port of the guest's loopback: 127.0.0.1, then ::1. A port without a server refuses at once, so
// there is no time limit.
class LocalDialer {
 public:
  // Called once, never from inside the constructor; without a socket if no server listens. The dialer may be destroyed
  // in it.
  using OnDone = std::function<void(Fd socket)>;

  LocalDialer(loop::Loop& loop, std::uint16_t port, OnDone on_done);
  ~LocalDialer();
  LocalDialer(const LocalDialer&) = delete;
  LocalDialer& operator=(const LocalDialer&) = delete;

 private:
  bool dial(int family);
  void ready();
  void finish();

  loop::Loop& loop_;
  const std::uint16_t port_;
  OnDone on_done_;
  Fd socket_;
  bool second_ = false;  // ::1 has its turn
  loop::Lifeline lifeline_;
};

}  // namespace sbx::guest
