// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::loop {

// One thread's event loop (epoll), for the shim and the guest's init. Handlers run on the thread that calls run(), one
// at a time, and must not block. A handler may remove any watch, its own included, and may destroy what it belongs to.
class Loop {
 public:
  using OnReady = std::function<void(std::uint32_t events)>;  // EPOLLIN, EPOLLOUT, EPOLLHUP, EPOLLERR
  using OnTime = std::function<void()>;
  using OnSignal = std::function<void(int number)>;
  using Timer = std::uint64_t;

  static Result<std::unique_ptr<Loop>> create();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // The descriptor is borrowed: forget() it before it is closed. events == 0 keeps the watch but asks for nothing.
  void watch(const Fd& fd, std::uint32_t events, OnReady handler);
  void change(const Fd& fd, std::uint32_t events);
  void forget(const Fd& fd);

  Timer after(std::chrono::milliseconds delay, OnTime handler);
  void cancel(Timer timer);

  // Blocks these signals for the thread and delivers them to the handler. Once per loop.
  Result<> on_signals(const std::vector<int>& numbers, OnSignal handler);

  // Runs the handler once after the current round of events: for destroying an object from inside its own handler.
  void later(OnTime handler);

  // Until a handler calls stop(), or until an error of epoll itself. May be called again. It may be called again.
  Result<> run();
  void stop() { stopped_ = true; }

 private:
  struct Watch {
    int fd;
    std::uint32_t events;
    OnReady handler;
  };
  explicit Loop(Fd epoll) : epoll_(std::move(epoll)) {}
  int timeout_now() const;
  void run_timers();
  void run_later();

  Fd epoll_;
  Fd signals_;
  std::map<int, std::shared_ptr<Watch>> watches_;
  std::map<std::pair<SteadyTime, Timer>, OnTime> timers_;
  std::map<Timer, SteadyTime> due_;
  std::vector<OnTime> later_;
  Timer next_timer_ = 1;
  bool stopped_ = false;
};

}  // namespace sbx::loop
