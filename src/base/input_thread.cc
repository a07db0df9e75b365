// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/input_thread.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <utility>

namespace sbx {
namespace {

bool watch_for_input(const Fd& epoll, const Fd& descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor.get();
  return ::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, descriptor.get(), &event) == 0;
}

}  // namespace

InputThread::InputThread(OnInput on_input)
    : on_input_(std::move(on_input)), epoll_(::epoll_create1(EPOLL_CLOEXEC)), wake_(::eventfd(0, EFD_CLOEXEC)) {
  (void)watch_for_input(epoll_, wake_);
}

InputThread::~InputThread() { stop(); }

Result<> InputThread::watch(const Fd& descriptor) {
  if (!watch_for_input(epoll_, descriptor)) return fail_errno("watch a descriptor");
  const MutexLock lock(mutex_);
  if (!stopped_ && !thread_.joinable()) thread_ = std::thread([this] { serve(); });
  return Ok{};
}

// Not with our lock: the call under way may wait for a lock of its own that another thread holds while it calls
// watch().
void InputThread::stop() {
  const std::uint64_t one = 1;
  (void)!::write(wake_.get(), &one, sizeof one);
  std::thread ending;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    ending.swap(thread_);
  }
  if (ending.joinable()) ending.join();
}

void InputThread::serve() {
  std::array<epoll_event, 16> events;
  for (;;) {
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int ready = events[static_cast<std::size_t>(i)].data.fd;
      if (ready == wake_.get()) return;
      on_input_(ready);
    }
  }
}

}  // namespace sbx
