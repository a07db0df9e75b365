// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/host_clock.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <limits>

namespace sbx::shim {

// A timer that never fires, but that the kernel cancels when the clock that it counts by jumps.
Result<Fd> HostClock::open() {
  Fd timer(::timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!timer) return fail_errno("make a timer");
  itimerspec never{};
  never.it_value.tv_sec = std::numeric_limits<std::int32_t>::max();
  if (::timerfd_settime(timer.get(), TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, nullptr) != 0)
    return fail_errno("set a timer");
  return timer;
}

HostClock::HostClock(loop::Loop& loop, Fd timer, OnJump on_jump) : loop_(loop), timer_(std::move(timer)) {
  loop_.watch(timer_, EPOLLIN, [this, on_jump = std::move(on_jump)](std::uint32_t) {
    std::uint64_t count = 0;
    if (::read(timer_.get(), &count, sizeof count) < 0 && errno == ECANCELED) on_jump();
  });
}

HostClock::~HostClock() { loop_.forget(timer_); }

}  // namespace sbx::shim
