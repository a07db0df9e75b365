// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

// std::mutex with clang's annotations: tests/style/thread_safety_test.py has clang prove that a member is used under
// its lock only. For other compilers the annotations are nothing.
//
//   Mutex mutex_;
//   std::deque<Job> jobs_ SBX_GUARDED_BY(mutex_);    // a function that uses it has const MutexLock lock(mutex_), or
//   Job take_next() SBX_REQUIRES(mutex_);            // its caller has
//
// Clang looks at one function at a time, constructors and destructors excepted, and a lambda is a function:
//
//   changed_.wait_for(lock, limit, [this]() SBX_REQUIRES(mutex_) { return !jobs_.empty(); });
//
// So locks that are moved, returned, passed on or shared are standard ones (Sandbox::operation,
// Templates::exclude_makers, SharedWork), and so are those that guard no member but the order of what is done
// (AttachInput).
#if defined(__clang__)
#define SBX_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define SBX_THREAD_SAFETY(attribute)
#endif

#define SBX_CAPABILITY(kind) SBX_THREAD_SAFETY(capability(kind))
#define SBX_SCOPED_CAPABILITY SBX_THREAD_SAFETY(scoped_lockable)
#define SBX_GUARDED_BY(mutex) SBX_THREAD_SAFETY(guarded_by(mutex))             // a member
#define SBX_REQUIRES(...) SBX_THREAD_SAFETY(requires_capability(__VA_ARGS__))  // a function: its caller has the lock
#define SBX_EXCLUDES(...) SBX_THREAD_SAFETY(locks_excluded(__VA_ARGS__))       // its caller does not have it
#define SBX_ACQUIRE(...) SBX_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
#define SBX_RELEASE(...) SBX_THREAD_SAFETY(release_capability(__VA_ARGS__))

namespace sbx {

class SBX_CAPABILITY("mutex") Mutex {
  friend class MutexLock;
  std::mutex mutex_;
};

// The one way to lock a Mutex: for as long as this lives, but between unlock() and lock(). Condition takes it, and, for
// a std::stop_token, std::condition_variable_any.
class SBX_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) SBX_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  ~MutexLock() SBX_RELEASE() = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void lock() SBX_ACQUIRE() { lock_.lock(); }
  void unlock() SBX_RELEASE() { lock_.unlock(); }

 private:
  friend class Condition;
  std::unique_lock<std::mutex> lock_;
};

// std::condition_variable for a MutexLock. A wait without a predicate is for a loop:
//   while (jobs_.empty()) arrived_.wait(lock);
class Condition {
 public:
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

  void wait(MutexLock& lock) { condition_.wait(lock.lock_); }
  // False: the limit has passed, and `is_met` is still not true.
  template <class Predicate>
  bool wait_for(MutexLock& lock, std::chrono::milliseconds limit, Predicate is_met) {
    return condition_.wait_for(lock.lock_, limit, std::move(is_met));
  }

 private:
  std::condition_variable condition_;
};

}  // namespace sbx
