// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/worker.h"

#include <utility>

namespace sbx::sandboxes {

Worker::Worker() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

Worker::~Worker() {
  thread_.request_stop();
  thread_.join();
}

void Worker::post(std::function<void()> job) {
  const MutexLock lock(mutex_);
  jobs_.push_back(std::move(job));
  arrived_.notify_one();
}

void Worker::run(const std::stop_token& stop) {
  for (;;) {
    MutexLock lock(mutex_);
    if (!arrived_.wait(lock, stop, [this]() SBX_REQUIRES(mutex_) { return !jobs_.empty(); })) return;
    const auto job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
  }
}

}  // namespace sbx::sandboxes
