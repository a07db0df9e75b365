// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "loop/loop.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "loop/lifeline.h"

namespace sbx::loop {

Result<std::unique_ptr<Loop>> Loop::create(Clock clock) {
  Fd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return fail_errno("make an event loop");
  return std::unique_ptr<Loop>(new Loop(std::move(epoll), std::move(clock)));
}

Loop::~Loop() = default;

void Loop::watch(const Fd& fd, std::uint32_t events, OnReady handler) {
  auto entry = std::make_shared<Watch>(Watch{fd.get(), events, std::move(handler)});
  epoll_event event{};
  event.events = events;
  event.data.fd = fd.get();
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd.get(), &event);
  watches_[fd.get()] = std::move(entry);
}

void Loop::change(const Fd& fd, std::uint32_t events) {
  const auto it = watches_.find(fd.get());
  if (it == watches_.end() || it->second->events == events) return;
  // A hung-up descriptor reports EPOLLHUP even when nothing is asked of it, and the loop would spin: while nothing is
  // asked, it is taken out of epoll altogether.
  const bool was_in = it->second->events != 0;
  it->second->events = events;
  epoll_event event{};
  event.events = events;
  event.data.fd = fd.get();
  if (events == 0)
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd.get(), nullptr);
  else
    ::epoll_ctl(epoll_.get(), was_in ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd.get(), &event);
}

void Loop::forget(const Fd& fd) {
  if (watches_.erase(fd.get()) != 0) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd.get(), nullptr);
}

Loop::Timer& Loop::Timer::operator=(Timer&& other) noexcept {
  if (this == &other) return *this;
  cancel();
  loop_ = std::exchange(other.loop_, nullptr);
  due_ = other.due_;
  number_ = other.number_;
  return *this;
}

// Taken out first, because what the handler holds may be an owner of this timer.
void Loop::Timer::cancel() {
  if (Loop* const loop = std::exchange(loop_, nullptr)) const auto cancelled = loop->timers_.extract({due_, number_});
}

Loop::Timer::operator bool() const { return loop_ != nullptr && loop_->timers_.contains({due_, number_}); }

Loop::Timer Loop::add_timer(std::chrono::milliseconds delay, Deferred call) {
  Timer timer(*this, clock_() + delay, next_timer_++);
  timers_.emplace(std::pair(timer.due_, timer.number_), std::move(call));
  return timer;
}

Result<> Loop::on_signals(const std::vector<int>& numbers, OnSignal handler) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : numbers) sigaddset(&set, number);
  if (::sigprocmask(SIG_BLOCK, &set, nullptr) != 0) return fail_errno("block signals");
  signals_ = Fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals_) return fail_errno("watch signals");
  watch(signals_, EPOLLIN, [this, handler = std::move(handler)](std::uint32_t) {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) handler(static_cast<int>(info.ssi_signo));
  });
  return Ok{};
}

void Loop::Deferred::make() const {
  if (called_off) return;
  if (owner != nullptr) owner->called();
  call();
}

int Loop::timeout_now() const {
  if (!later_.empty()) return 0;
  if (timers_.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first.first - clock_()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

void Loop::run_timers() {
  while (!timers_.empty() && timers_.begin()->first.first <= clock_()) {
    const auto due = timers_.extract(timers_.begin());
    due.mapped().make();
  }
}

void Loop::run_later() {
  // What is put off meanwhile has its turn in the next round.
  for (std::size_t left = later_.size(); left > 0; --left) {
    const Deferred next = std::move(later_.front());
    later_.pop_front();
    next.make();
  }
}

Result<> Loop::run() {
  std::array<epoll_event, 64> events{};
  stopped_ = false;
  while (!stopped_) {
    const int n = ::epoll_wait(epoll_.get(), events.data(), events.size(), timeout_now());
    if (n < 0 && errno != EINTR) return fail_errno("wait for events");
    for (int i = 0; i < n; ++i) {
      const auto& event = events[static_cast<std::size_t>(i)];
      const auto it = watches_.find(event.data.fd);
      if (it == watches_.end()) continue;  // forgotten by an earlier handler of this round
      const std::shared_ptr<Watch> entry = it->second;
      entry->handler(event.events);
    }
    run_timers();
    run_later();
  }
  stopped_ = false;
  return Ok{};
}

}  // namespace sbx::loop
