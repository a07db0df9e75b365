// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/mutex.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <thread>
#include <vector>

namespace sbx {
namespace {

class Queue {
 public:
  void put(int value) {
    const MutexLock lock(mutex_);
    values_.push_back(value);
    arrived_.notify_one();
  }
  int take() {
    MutexLock lock(mutex_);
    while (values_.empty()) arrived_.wait(lock);
    const int value = values_.front();
    values_.pop_front();
    return value;
  }
  bool await_some(std::chrono::milliseconds limit) {
    MutexLock lock(mutex_);
    return arrived_.wait_for(lock, limit, [this]() SBX_REQUIRES(mutex_) { return !values_.empty(); });
  }
  // put() takes the lock itself, and so hangs if it is not given back.
  int put_with_the_lock_given_back(int value) {
    MutexLock lock(mutex_);
    lock.unlock();
    put(value);
    lock.lock();
    return values_.back();
  }

 private:
  Mutex mutex_;
  Condition arrived_;
  std::deque<int> values_ SBX_GUARDED_BY(mutex_);
};

TEST(Mutex, LetsOneThreadInAtATime) {
  Mutex mutex;
  int count = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int j = 0; j < 10'000; ++j) {
          const MutexLock lock(mutex);
          ++count;
        }
      });
  }
  EXPECT_EQ(count, 40'000);
}

TEST(Mutex, IsGivenBackAndTakenAgain) {
  Queue queue;
  EXPECT_EQ(queue.put_with_the_lock_given_back(7), 7);
}

TEST(Mutex, TellsAThreadThatWaits) {
  Queue queue;
  std::jthread putter([&] { queue.put(1); });
  EXPECT_EQ(queue.take(), 1);
}

TEST(Mutex, WaitsNoLongerThanTheLimit) {
  Queue queue;
  EXPECT_FALSE(queue.await_some(std::chrono::milliseconds(1)));
  queue.put(1);
  EXPECT_TRUE(queue.await_some(std::chrono::milliseconds(1)));
}

TEST(Mutex, CanBeWaitedWithUntilAStop) {
  Mutex mutex;
  std::condition_variable_any changed;
  std::stop_source source;
  std::jthread stopper([&] { source.request_stop(); });
  MutexLock lock(mutex);
  EXPECT_FALSE(changed.wait(lock, source.get_token(), [] { return false; }));
}

}  // namespace
}  // namespace sbx
