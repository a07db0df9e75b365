// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::loop {

class Lifeline;

// One thread's event loop (epoll), for the shim and the guest's init. Handlers run on the thread that calls run(), one
// at a time, and must not block. A handler may remove any watch, its own included, and may destroy what it belongs to.
//   TRY_ASSIGN(auto loop, Loop::create());
//   loop->watch(socket, EPOLLIN, [&](std::uint32_t) { read_some(); });
//   TRY(loop->run());
class Loop {
 public:
  using OnReady = std::function<void(std::uint32_t events)>;  // EPOLLIN, EPOLLOUT, EPOLLHUP, EPOLLERR
  using OnTime = std::function<void()>;
  using OnSignal = std::function<void(int number)>;

  // A call that is to be made at some time: until it is made, or cancelled, which the destructor does too. Borrows the
  // loop.
  class Timer {
   public:
    Timer() = default;
    Timer(Timer&& other) noexcept
        : loop_(std::exchange(other.loop_, nullptr)), due_(other.due_), number_(other.number_) {}
    Timer& operator=(Timer&& other) noexcept;
    ~Timer() { cancel(); }

    void cancel();
    explicit operator bool() const;  // it is still to be made

   private:
    friend class Loop;
    friend class Lifeline;
    void let_go() { loop_ = nullptr; }
    Timer(Loop& loop, SteadyTime due, std::uint64_t number) : loop_(&loop), due_(due), number_(number) {}

    Loop* loop_ = nullptr;
    SteadyTime due_;
    std::uint64_t number_ = 0;
  };

  // By another clock for tests, which move it forward.
  using Clock = std::function<SteadyTime()>;
  static Result<std::unique_ptr<Loop>> create(Clock clock = steady_now);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // The descriptor is borrowed: forget() it before it is closed. events == 0 keeps the watch but asks for nothing.
  void watch(const Fd& fd, std::uint32_t events, OnReady handler);
  void change(const Fd& fd, std::uint32_t events);
  void forget(const Fd& fd);

  [[nodiscard]] Timer after(std::chrono::milliseconds delay, OnTime handler) {
    return add_timer(delay, {nullptr, std::move(handler)});
  }

  // Blocks these signals for the thread and delivers them to the handler. Once per loop.
  Result<> on_signals(const std::vector<int>& numbers, OnSignal handler);

  // Runs the handler once after the current round of events. An object that may be gone by then has a Lifeline for
  // this.
  void later(OnTime handler) { later_.push_back({nullptr, std::move(handler)}); }
  // Destroys it after the current round of events: for an object that calls us.
  template <typename T>
  void discard(std::unique_ptr<T> object) {
    later([gone = std::shared_ptr<T>(std::move(object))] {});
  }

  // Until a handler calls stop(), or until an error of epoll itself. It may be called again.
  Result<> run();
  void stop() { stopped_ = true; }

 private:
  struct Watch {
    int fd;
    std::uint32_t events;
    OnReady handler;
  };
  struct Deferred {
    Lifeline* owner;  // null: none
    OnTime call;
    bool called_off = false;

    void make() const;
  };
  friend class Lifeline;
  Loop(Fd epoll, Clock clock) : epoll_(std::move(epoll)), clock_(std::move(clock)) {}
  Timer add_timer(std::chrono::milliseconds delay, Deferred call);
  int timeout_now() const;
  void run_timers();
  void run_later();

  Fd epoll_;
  Clock clock_;
  Fd signals_;
  std::map<int, std::shared_ptr<Watch>> watches_;
  std::map<std::pair<SteadyTime, std::uint64_t>, Deferred> timers_;
  std::uint64_t next_timer_ = 1;
  bool stopped_ = false;
  std::deque<Deferred> later_;  // last: what it holds may use the loop when it is destroyed
};

}  // namespace sbx::loop
