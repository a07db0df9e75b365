// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

#include "base/fd.h"
#include "base/mutex.h"
#include "base/result.h"

namespace sbx {

// A thread that calls a function for each descriptor that has input. It begins with the first descriptor:
//   InputThread acceptor{[this](int listener) { accept_from(listener); }};
//   TRY(acceptor.watch(listener));
// A descriptor that is closed is watched no more. The call for one that was closed in another thread may still come,
// when its number may be another's: look it up under a lock, and read without blocking.
class InputThread {
 public:
  using OnInput = std::function<void(int descriptor)>;

  explicit InputThread(OnInput on_input);
  ~InputThread();
  InputThread(const InputThread&) = delete;
  InputThread& operator=(const InputThread&) = delete;

  Result<> watch(const Fd& descriptor);
  // Waits for the call that is under way: not from inside one, nor with a lock that it takes.
  void stop() SBX_EXCLUDES(mutex_);

 private:
  void serve();

  OnInput on_input_;
  Fd epoll_;
  Fd wake_;
  Mutex mutex_;
  bool stopped_ SBX_GUARDED_BY(mutex_) = false;
  std::thread thread_ SBX_GUARDED_BY(mutex_);
};

}  // namespace sbx
