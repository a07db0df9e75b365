// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/fd.h"
#include "base/result.h"
#include "loop/loop.h"

namespace sbx::shim {

// Tells when the host's wall clock jumps: it was set, or the host slept.
class HostClock {
 public:
  using OnJump = std::function<void()>;

  static Result<Fd> open();  // before the shim is confined
  HostClock(loop::Loop& loop, Fd timer, OnJump on_jump);
  ~HostClock();
  HostClock(const HostClock&) = delete;
  HostClock& operator=(const HostClock&) = delete;

 private:
  loop::Loop& loop_;
  Fd timer_;
};

}  // namespace sbx::shim
